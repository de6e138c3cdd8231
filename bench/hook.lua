-- Posts what a webhook posts, to see how much the receiver takes.
dofile("bench/report.lua")

function init(args)
    local headers = {
        ["Content-Type"] = "application/json", ["webhook-id"] = "we_01M7FFW75AZW8Z9CY2EK4G3BKS",
        ["webhook-timestamp"] = "1794742557", ["webhook-signature"] = "v1,VuOmcAXoc/OkCjtm60+doZ/asHHyiaAC2bASdRuGJRk=",
    }
    post = wrk.format("POST", "/", headers, string.rep("x", 440))
end

function request()
    return post
end

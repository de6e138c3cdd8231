-- Sends GET requests chosen at random from a file: wrk … -- FILE KEY ACCEPT-ENCODING IF-NONE-MATCH SPREAD
-- With SPREAD each request comes from an address of its own, as a proxy would tell it.
dofile("bench/report.lua")

function init(args)
    local headers = {}
    if args[2] ~= "" then headers["Authorization"] = "Bearer " .. args[2] end
    if args[3] ~= "" then headers["Accept-Encoding"] = args[3] end
    if args[4] ~= "" then headers["If-None-Match"] = args[4] end
    requests = {}
    for path in io.lines(args[1]) do
        if args[5] ~= "" then
            local number = #requests
            headers["X-Forwarded-For"] = string.format("10.%d.%d.%d", number / 65536, number / 256 % 256, number % 256)
        end
        requests[#requests + 1] = wrk.format("GET", path, headers)
    end
    math.randomseed(os.time())
end

function request()
    return requests[math.random(#requests)]
end

-- Places orders, each with a key of its own.
dofile("bench/report.lua")

local threads = 0
function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end

function init()
    count = 0
    salt = string.format("%d-%d", os.time(), number)
    body = '{"buyer":{"name":"Ana Ruiz","email":"ana@example.com"},"items":[{"ticket_type_id":"tt_hot","quantity":1}]}'
end

function request()
    count = count + 1
    return wrk.format("POST", "/shop/v1/pr_hot/events/ev_hot/orders", {
        ["Content-Type"] = "application/json",
        ["Idempotency-Key"] = salt .. "-" .. count,
    }, body)
end

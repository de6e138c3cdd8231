-- Scans tickets, each once and all over the table: wrk … -- TOKEN FIRST TICKETS, where FIRST is the number of scans
-- before this run.
dofile("bench/report.lua")

function init(args)
    number, tickets = tonumber(args[2]), tonumber(args[3])
    headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. args[1] }
end

function request()
    local body = string.format(
        '{"code":"BENCH%020d","scan_id":"7f9c24e8-3b12-4fef-91a0-%012d","station":"Gate 1","scanned_at":"2026-11-01T21:00:00Z"}',
        number * 1000003 % tickets, number)
    number = number + 1
    return wrk.format("POST", "/door/v1/scan", headers, body)
end

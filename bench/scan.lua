-- Scans tickets, each once and all over the table: wrk … -- TOKEN FIRST STEP TICKETS, where FIRST is the number of scans
-- before this run and STEP the way from one ticket to the next.
dofile("bench/report.lua")

function init(args)
    number, step, tickets = tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
    headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. args[1] }
end

function request()
    local body = string.format(
        '{"code":"BENCH%020d","scan_id":"7f9c24e8-3b12-4fef-91a0-%012d","station":"Gate 1","scanned_at":"2026-11-01T21:00:00Z"}',
        number * step % tickets, number)
    number = number + 1
    return wrk.format("POST", "/door/v1/scan", headers, body)
end

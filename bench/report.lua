-- Ends a run of wrk with one line of JSON. Loaded by the other scripts.
function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '\nRESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"worst":%d,"refused":%d,"failed":%d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
        errors.status,
        errors.connect + errors.read + errors.write + errors.timeout))
end

-- The same requests as paths.lua, each on a connection of its own.
dofile("bench/paths.lua")
local begin = init

function init(args)
    begin(args)
    for number, text in ipairs(requests) do
        requests[number] = text:gsub("\r\n", "\r\nConnection: close\r\n", 1)
    end
end

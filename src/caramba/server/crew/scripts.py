"""What is asked of Redis. Each script is done as a whole, or not at all.

A worker is there as long as its lease is: a key that it renews each second, and that holds its
address. A table belongs to the worker that its claim names, if that is there.
"""

FRAME = """
local removed, plain = {}, redis
local redis = {call = function(...)
    local answer = plain.pcall(...)
    if type(answer) ~= 'table' or not answer.err then return answer end
    if string.find(answer.err, 'WRONGTYPE', 1, true) then
        local _, key = ...
        plain.call('DEL', key)
        table.insert(removed, key)
    end
    return plain.call(...)
end}
local function answer() %s end
return {removed, answer()}
"""
"""Around every script: a key of another kind than ours, which somebody else has written, is removed
before it is asked for again. First come the keys that were, then the answer."""

BEAT = """
local known = redis.call('EXISTS', KEYS[2])
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('SET', KEYS[2], 1, 'PX', ARGV[3])
local first = redis.call('GET', KEYS[3])
if not first or first == ARGV[1] then
    redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[3])
    return {known, 1}
end
return {known, 0}
"""
"""Keys: my lease, my last sign of life, who looks after sleeping tables. Given: my name, my
address, milliseconds. Whether the last sign was remembered, and whether I am who looks after."""

CLAIM = """
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[2] then
    local address = redis.call('GET', ARGV[1] .. owner)
    if address then return {owner, address} end
end
if ARGV[6] == '0' then return {} end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[4])
redis.call('SET', ARGV[1] .. ARGV[2], ARGV[3], 'PX', ARGV[5])
return {ARGV[2]}
"""
"""Keys: a claim. Given: how leases begin, my name and address, seconds of a claim, milliseconds of
a lease, and whether I would have it. Whose the table is, with the address if it is another's;
nothing if it is nobody's. Who claims something is there, also if that was forgotten."""

RELEASE = """
for _, claim in ipairs(KEYS) do
    if redis.call('GET', claim) == ARGV[1] then redis.call('DEL', claim) end
end
"""
"""Keys: claims, or leases that hold a name. Given: my name."""

RENEW = """
for _, claim in ipairs(KEYS) do redis.call('EXPIRE', claim, ARGV[1]) end
"""
"""Keys: claims. Given: seconds."""

TAKEN = """
local taken = {}
for i, claim in ipairs(KEYS) do
    local owner = redis.call('GET', claim)
    taken[i] = (owner and redis.call('EXISTS', ARGV[1] .. owner)) or 0
end
return taken
"""
"""Keys: claims. Given: how leases begin. For each, whether somebody has that table."""

THERE = """
local there = {}
for i, lease in ipairs(KEYS) do there[i] = redis.call('EXISTS', lease) end
return there
"""
"""Keys: leases. For each, whether that worker is there."""

BURY = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1], KEYS[2]) end
"""
"""Keys: a lease, and the last sign of life of that worker. Given: the address at which there is
nobody. If there is somebody after all, the next sign of life tells it that it was given up."""

COUNT = """
local parts = 20
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local full = {}
for i, key in ipairs(KEYS) do
    local many, seconds = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
    local part = math.floor(now * parts / seconds)
    local sum, here = 0, 0
    local kept = redis.call('HGETALL', key)
    for j = 1, #kept, 2 do
        local age, counted = part - (tonumber(kept[j]) or 0), tonumber(kept[j + 1]) or 0
        if age < 0 or age > parts then redis.call('HDEL', key, kept[j])
        else sum = sum + counted end
        if age == 0 then here = counted end
    end
    full[i] = (sum >= many) and 1 or 0
    if full[i] == 0 then
        redis.call('HSET', key, part, here + 1)
        redis.call('EXPIRE', key, 2 * seconds)
    end
end
return full
"""
"""Keys: what is counted. Given, for each: how many there may be in how many seconds.
For each, whether that was too much; then it is not counted. It is counted by twentieths of that
time, which are forgotten as a whole: never too early, and late by a twentieth at most."""

ENTER = """
local others = 0
local inside = redis.call('HGETALL', KEYS[1])
for i = 1, #inside, 2 do
    if inside[i] ~= ARGV[2] then
        if redis.call('EXISTS', ARGV[1] .. inside[i]) == 1 then
            others = others + (tonumber(inside[i + 1]) or 0)
        else
            redis.call('HDEL', KEYS[1], inside[i])
        end
    end
end
if others + tonumber(ARGV[3]) > tonumber(ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[1], 86400)
return 1
"""
"""Keys: an address, with how many are inside at each worker. Given: how leases begin, my name, how
many are inside here with the one that comes, and how many there may be. Whether it may come in."""

LEAVE = """
if tonumber(ARGV[2]) > 0 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
else redis.call('HDEL', KEYS[1], ARGV[1]) end
"""
"""Keys: an address. Given: my name, and how many are inside here now."""

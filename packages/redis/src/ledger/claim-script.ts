import { createScript } from '../create-script.ts'
import { setNow } from '../server-time.ts'

/**
 * Claims a click, or says what is known of it: the judgement of `judgeClick`, which the server must make itself so that nothing
 * comes between. A test compares the two over random histories.
 *
 * KEYS: those of the click. ARGV: now, waited, id, fingerprint, named, try, lease, done, unknown, retryUnknown.
 */
export const claimScript = createScript(`
${setNow}
local waited, id, fingerprint, named, try = tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5] == '1', ARGV[6]
local leaseMs, doneMs, unknownMs, retryUnknown = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10] == '1'
local arrived = now - waited

-- What nobody knows any more does not count.
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)) do
  redis.call('ZREM', KEYS[2], gone)
  redis.call('ZREM', KEYS[3], gone)
end

local function keep(key, untilAt)
  local ms = math.ceil(untilAt - now)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, ms) end
end

local function run(firstAt)
  redis.call('HSET', KEYS[1], 'state', 'running', 'since', now, 'until', now + leaseMs, 'try', try)
  redis.call('ZADD', KEYS[2], now, id)
  redis.call('ZADD', KEYS[3], math.max(firstAt + unknownMs, now + leaseMs), id)
  for i = 1, 3 do keep(KEYS[i], math.max(firstAt + unknownMs, now + leaseMs)) end
end

local known = redis.call('HMGET', KEYS[1], 'fingerprint', 'state', 'since', 'until', 'first', 'key', 'try')
local state, since, untilAt = known[2], tonumber(known[3]), tonumber(known[4])
local firstAt, key = tonumber(known[5]), known[6]

if state == 'running' and known[7] == try then
  if key == try then return { 'claimed', key } end
  return { 'claimed', key, tostring(now - firstAt) }
end

local free = not state
if not free then
  if state == 'running' and arrived >= untilAt then
    state = 'unknown'
    untilAt = firstAt + unknownMs
  end
  free = arrived >= untilAt
end
if not free and state == 'done' then
  local isFromFuture = arrived <= since - math.max(doneMs, leaseMs)
  local hasLaterSuccess = redis.call('HGET', KEYS[4], 'id') ~= id
  free = isFromFuture or (not named and hasLaterSuccess)
end

if free then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'fingerprint', fingerprint, 'first', now, 'key', try)
  run(now)
  return { 'claimed', try }
end
if known[1] ~= fingerprint then return { 'reused' } end
if state == 'unknown' and retryUnknown then
  run(firstAt)
  return { 'claimed', key, tostring(now - firstAt) }
end
if state == 'unknown' then return { state, tostring(arrived - firstAt), tostring(untilAt - arrived) } end
if state == 'done' and not named then
  for _, other in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], since, '+inf', 'LIMIT', 0, 2)) do
    if other ~= id then return { 'undecided' } end
  end
end
return { state }
`)

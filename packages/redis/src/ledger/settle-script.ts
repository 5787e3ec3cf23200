import { createScript } from '../create-script.ts'
import { setNow } from '../server-time.ts'

/**
 * Keeps how a try ended.
 *
 * KEYS: those of the click. ARGV: now, msAgo, id, fingerprint, try, outcome, done, kept, unknown.
 */
export const settleScript = createScript(`
${setNow}
local endedAt, id, fingerprint, try, outcome = now - tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local doneMs, keptMs, unknownMs = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local known = redis.call('HMGET', KEYS[1], 'state', 'try', 'first')

local function close()
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZREM', KEYS[3], id)
end

if outcome == 'done' then
  local goneAt = endedAt + math.max(doneMs, keptMs)
  if not known[1] then redis.call('HSET', KEYS[1], 'fingerprint', fingerprint, 'first', endedAt, 'key', try, 'try', try) end
  redis.call('HSET', KEYS[1], 'state', 'done', 'since', endedAt, 'until', endedAt + doneMs)
  redis.call('PEXPIRE', KEYS[1], math.ceil(goneAt - now))
  close()
  local last = tonumber(redis.call('HGET', KEYS[4], 'at'))
  if not last or last <= endedAt then redis.call('HSET', KEYS[4], 'id', id, 'at', endedAt) end
  local ms = math.ceil(goneAt - now)
  if redis.call('PTTL', KEYS[4]) < ms then redis.call('PEXPIRE', KEYS[4], ms) end
  return {}
end

-- A success is never taken back, and a try that another one has followed can only add a success.
if not known[1] or known[1] == 'done' or known[2] ~= try then return {} end
if outcome == 'refused' then
  redis.call('DEL', KEYS[1])
  close()
else
  redis.call('HSET', KEYS[1], 'state', 'unknown', 'until', known[3] + unknownMs)
end
return {}
`)

/** Lua that sets `now`, in milliseconds: what the caller passes as the first argument, else the clock of the server. */
export const setNow = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`

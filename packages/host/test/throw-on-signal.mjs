// Preloaded with `node --import`: on SIGUSR2, throws the error that THROWN selects, outside any handler.
class ShopError extends Error {
  name = 'ShopError'
}
const thrown = {
  error: () => new ShopError('cannot reach jane@shop.example\nwith postgres://u:secret@db'),
  hostile: () =>
    Object.defineProperty(new Error('hostile'), 'message', {
      get: () => {
        throw new Error('looked at')
      },
    }),
}

process.on('SIGUSR2', () => {
  const value = thrown[process.env.THROWN]()
  if (process.env.HOW === 'reject') void Promise.reject(value)
  else throw value
})

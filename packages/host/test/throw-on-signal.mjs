// Preloaded with `node --import`: on SIGUSR2, throws an error outside any handler.
class ShopError extends Error {
  name = 'ShopError'
}

process.on('SIGUSR2', () => {
  const error = new ShopError('cannot reach jane@shop.example\nwith postgres://u:secret@db')
  if (process.env.HOW === 'reject') void Promise.reject(error)
  else throw error
})

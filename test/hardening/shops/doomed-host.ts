import { openSqlStore } from '@storeport/store-sql'
import { serveShop } from './serve-shop.ts'
import { today } from './shop.ts'

/*
 * A process of its own that serves a shop and is killed, as by a loss of power, before or after the change of the
 * first add: given the address of the database and `before` or `after`, it sends where it listens.
 */

const [url = '', when] = process.argv.slice(2)
const store = await openSqlStore({ url, today })
const die = () => process.kill(process.pid, 'SIGKILL')
const doomed: typeof store = {
  ...store,
  addProduct: async (input, context) => {
    if (when === 'before') die()
    await store.addProduct(input, context)
    die()
  },
}
const host = await serveShop(doomed)
process.send?.(host.url)

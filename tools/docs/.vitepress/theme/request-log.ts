import { h } from 'vue'
import type { SentRequest } from './page-shop.ts'

/** Renders the requests to a shop in the page. */
export function renderLog(log: readonly SentRequest[]) {
  return h('details', { open: true }, [
    h('summary', `Requests to this shop: ${log.length}`),
    h(
      'ol',
      log.map(({ line, status, hasRun }) =>
        h('li', `${line} → ${status}, ${hasRun ? 'the store method ran' : 'the store method did not run'}`),
      ),
    ),
  ])
}

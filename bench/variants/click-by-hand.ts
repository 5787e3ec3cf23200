import { openByHand } from '../by-hand/click.ts'
import { respondByHand } from '../by-hand/listener.ts'
import { runClicks } from '../measure/follow-orders.ts'
import { post } from '../measure/requests.ts'

const add = await openByHand(process.env['BENCH_DATABASE'] ?? '')
const request = post('upsells/add-product', {})

runClicks(async (body) => {
  const response = await respondByHand(request, () => Promise.resolve(body), add)
  if (response.status !== 200) throw new Error(`unexpected response: ${response.body}`)
})

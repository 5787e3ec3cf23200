import { askDelay, askSubscription } from './ask-store.ts'
import { checkedSubscription } from './check-subscription.ts'
import { delayInput, emailOfQuery } from './read-input.ts'
import { Refusal } from './refusal.ts'

/** Body of the answer to GET subscription; throws a Refusal or what the store throws. */
export async function getSubscription(query: string, requestId: string): Promise<string> {
  const answer = await askSubscription(emailOfQuery(query), requestId)
  if (answer === null) throw new Refusal('subscription_not_found')
  return `{"success":true,"data":${JSON.stringify(checkedSubscription(answer))}}`
}

/** Body of the answer to POST delay; throws a Refusal or what the store throws. */
export async function delaySubscription(text: string, requestId: string, idempotencyKey: string): Promise<string> {
  await askDelay(delayInput(text), requestId, idempotencyKey)
  return '{"success":true}'
}

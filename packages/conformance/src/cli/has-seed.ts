import { CancelledSubscriptionList, CurrentSubscription, Discount, ProductList } from '@storeport/core'
import type { EndpointName } from '@storeport/core'
import * as z from 'zod/mini'
import type { Check } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { isObject } from '../engine/is-object.ts'
import { runCheck } from '../engine/run-check.ts'
import type { CheckOptions } from '../engine/run-options.ts'
import { seedProfile } from '../profile/seed-profile.ts'

const { customers, products, discounts } = seedProfile

/** Reads that tell whether a shop has the test data of the reference host, by what they answer then. */
const signs: readonly {
  readonly name: EndpointName
  readonly input: Readonly<Record<string, unknown>>
  readonly isThere: (data: unknown) => boolean
}[] = [
  {
    name: 'listProducts',
    input: {},
    isThere: (data) => {
      const list = z.safeParse(ProductList, data)
      return list.success && list.data.products.some(({ id }) => products.listed.some((product) => product.id === id))
    },
  },
  {
    name: 'getSubscription',
    input: { email: customers.subscribed },
    isThere: (data) => isA(CurrentSubscription, data),
  },
  {
    name: 'listCancelledSubscriptions',
    input: { email: customers.cancelled },
    isThere: (data) => isA(CancelledSubscriptionList, data),
  },
  { name: 'getDiscount', input: { discount_code: discounts.percentage?.code }, isThere: (data) => isA(Discount, data) },
]

/**
 * Whether a shop has the test data of the reference host, as far as reads can tell.
 *
 * A shop that answers nothing sensible may well have it: then it has a fault, which the checks find.
 */
export async function hasSeed(options: CheckOptions): Promise<boolean> {
  const asked = signs.filter(({ name }) => options.offered.includes(name))
  let isThere = false
  let isClear = asked.length > 0
  const look: Check = {
    id: 'profile.has-the-seed',
    title: 'The shop has the test data of the reference host.',
    requirements: ['ROUTE-1'],
    mode: 'read-only',
    layer: 'shop',
    needs: [],
    async run(t) {
      for (const sign of asked) {
        const reply = await t.call(sign.name, sign.input)
        if (sign.isThere(dataOf(reply))) isThere = true
        else if (!tellsNothing(reply)) isClear = false
      }
    },
  }
  const { outcome } = await runCheck(look, { ...options, reset: undefined })
  return isThere || !isClear || outcome === 'failed'
}

/** A list of other products, or that there is no such customer or code. */
function tellsNothing(reply: Reply): boolean {
  return reply.status === 404 || (reply.status === 200 && isA(ProductList, dataOf(reply)))
}

function dataOf(reply: Reply): unknown {
  return isObject(reply.json) ? reply.json['data'] : undefined
}

function isA(schema: z.core.$ZodType, data: unknown): boolean {
  return z.safeParse(schema, data).success
}

import { StoreError } from '@storeport/core'
import { addDays, type CustomerAccount, swapProduct } from '@storeport/rules'
import { answer, header, refusal, withHeader } from './messages.ts'
import type { Mutant } from './mutant.ts'
import type { Accounts } from './shop-of-rules.ts'

const idempotencyKey = 'Idempotency-Key'

/** What concerns several customers or several calls: whose data it is, what changes, how often a click counts. */
export const together: readonly Mutant[] = [
  {
    defect: 'the last subscription that was read is shown to everybody',
    caughtBy: 'customers.see-their-own-data',
    store: ({ getSubscription }) => {
      let last: ReturnType<typeof getSubscription> | undefined
      return { getSubscription: (input, context) => (last ??= getSubscription(input, context)) }
    },
  },
  {
    defect: 'customers are looked up with LIKE',
    caughtBy: 'customers.are-found-by-the-whole-address',
    find: (email, accounts) => {
      const pattern = new RegExp(`^${email.replaceAll('.', '\\.').replaceAll('%', '.*').replaceAll('+', '\\+')}$`, 'i')
      return [...accounts].find(([key]) => pattern.test(key))?.[1]
    },
  },
  {
    defect: 'customers are looked up by the start of their address',
    caughtBy: 'customers.are-found-by-the-whole-address',
    find: (email, accounts) => [...accounts].find(([key]) => email.toLowerCase().startsWith(key))?.[1],
  },
  {
    defect: 'what follows a plus is cut off the address',
    caughtBy: 'customers.are-found-by-the-whole-address',
    find: (email, accounts) => accounts.get(email.toLowerCase().replace(/\+[^@]*/, '')),
  },
  {
    defect: 'customers are looked up in a plain object',
    caughtBy: 'customers.are-found-by-the-whole-address',
    request: (sent) => (sent.query.startsWith('email=__proto__') ? answer(200, { success: true, data: {} }) : sent),
  },
  {
    defect: 'an item is found by its id alone, whoever it belongs to',
    caughtBy: 'swapProduct.reaches-no-item-of-another-customer',
    rules: {
      swapProduct: (account, input, shop) => {
        const isForeign = input.current_item_id === 'item_7' && account.email !== 'another@example.com'
        return isForeign ? account : swapProduct(account, input, shop)
      },
    },
  },
  {
    defect: 'a subscription is found by its id alone, whoever it belongs to',
    caughtBy: 'reactivateSubscription.reaches-no-subscription-of-another-customer',
    find: (email, accounts) => withAllCancelled(email, accounts),
  },
  {
    defect: 'an add is found by its product alone, whoever made it',
    caughtBy: 'undoAddProduct.takes-back-no-add-of-another-customer',
    store: ({ undoAddProduct }) => ({
      undoAddProduct: (input, context) =>
        undoAddProduct(input, context).catch(() => undoAddProduct({ ...input, email: 'another@example.com' }, context)),
    }),
  },
  {
    defect: 'what one customer adds is added for another one too',
    caughtBy: 'customers.change-nothing-of-each-other',
    store: ({ delaySubscription: delay, getSubscription }) => ({
      delaySubscription: async (input, context) => {
        await delay(input, context)
        const neighbour = { email: 'another@example.com' }
        const other = await getSubscription(neighbour, context)
        if (input.email !== neighbour.email && other !== null) {
          await delay({ ...neighbour, new_date: addDays(other.next_billing_date, 1) }, context)
        }
      },
    }),
  },
  {
    defect: 'a read renews the date',
    caughtBy: 'state.is-not-changed-by-reads',
    store: ({ listCancelledSubscriptions, getSubscription, delaySubscription: delay }) => ({
      listCancelledSubscriptions: async (input, context) => {
        const { email } = input
        const current = await getSubscription({ email }, context).catch(() => null)
        if (current !== null) await delay({ email, new_date: addDays(current.next_billing_date, 1) }, context)
        return listCancelledSubscriptions(input, context)
      },
    }),
  },
  {
    defect: 'an add is made before its code is looked at',
    caughtBy: 'addProduct.refuses-a-bad-code',
    store: ({ addProduct: add }) => ({
      addProduct: async (input, context) => {
        if (input.discount_code === 'NO-SUCH-CODE') await add({ ...input, discount_code: undefined }, context)
        await add(input, context)
      },
    }),
  },
  {
    defect: 'a call with a wrong method is carried out and then refused',
    caughtBy: 'state.is-not-changed-by-refused-calls',
    request: (sent) => (sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent),
    answer: (answered, sent) =>
      sent.method === 'PUT' ? withHeader(refusal(405, 'method_not_allowed'), 'Allow', 'POST') : answered,
  },
  {
    defect: 'each click counts, however often it is sent',
    caughtBy: 'retries.count-once',
    options: { retries: false },
  },
  {
    defect: 'a repeat is refused',
    caughtBy: 'retries.count-once',
    options: { retries: false },
    store: ({ addProduct: add }) => {
      let last = ''
      return {
        addProduct: async (input, context) => {
          const click = JSON.stringify([input.email.toLowerCase(), input.product_id, input.quantity])
          if (click === last) throw new StoreError('request_in_progress')
          await add(input, context)
          last = click
        },
      }
    },
  },
  {
    defect: 'repeats are told by product alone',
    caughtBy: 'retries.tell-different-calls-apart',
    store: ({ addProduct: add }) => {
      let last = ''
      return {
        addProduct: async (input, context) => (last === (last = input.product_id) ? undefined : add(input, context)),
      }
    },
  },
  {
    defect: 'repeats are remembered whatever came between',
    caughtBy: 'retries.count-again-after-another-change',
    store: ({ addProduct: add }) => {
      const done = new Set<string>()
      return {
        addProduct: async (input, context) =>
          done.size === done.add(JSON.stringify(input)).size ? undefined : add(input, context),
      }
    },
  },
  {
    defect: 'repeats are told without the customer',
    caughtBy: 'retries.tell-customers-apart',
    store: ({ addProduct: add }) => {
      let last = ''
      return {
        addProduct: async ({ email, ...rest }, context) =>
          last === (last = JSON.stringify(rest)) ? undefined : add({ email, ...rest }, context),
      }
    },
  },
  {
    defect: 'refusals are remembered',
    caughtBy: 'undoAddProduct.forgets-its-refusals',
    store: ({ undoAddProduct }) => {
      const refused = new Set<string>()
      return {
        undoAddProduct: async (input, context) => {
          const click = JSON.stringify(input)
          if (refused.has(click)) throw new StoreError('product_not_in_order')
          await undoAddProduct(input, context).catch((error: unknown) => {
            refused.add(click)
            throw error
          })
        },
      }
    },
  },
  {
    defect: '`Idempotency-Key` is not looked at',
    caughtBy: 'retries.with-a-key-count-once',
    request: (sent) => withHeader(sent, idempotencyKey),
  },
  {
    defect: 'an `Idempotency-Key` is not compared with the body',
    caughtBy: 'retries.with-a-key-are-of-one-request',
    answer: (answered) => (answered.status === 422 ? answer(200, { success: true }) : answered),
  },
  {
    defect: 'two `Idempotency-Key`s are not told apart',
    caughtBy: 'retries.with-two-keys-are-two',
    request: (sent) =>
      header(sent, idempotencyKey) === undefined
        ? sent
        : withHeader(sent, idempotencyKey, `one-for-all-${sent.path.length}`),
  },
  {
    defect: 'a refusal uses an `Idempotency-Key` up',
    caughtBy: 'retries.with-a-key-go-on-after-a-refusal',
    request: usedUp(),
  },
  {
    defect: 'any `Idempotency-Key` is taken',
    caughtBy: 'retries.refuse-a-bad-key',
    request: (sent) =>
      /^$|[^!-~]|.{256}/.test(header(sent, idempotencyKey) ?? 'none') ? withHeader(sent, idempotencyKey) : sent,
  },
]

/** The customer, who also has the cancelled subscriptions of everybody else. */
function withAllCancelled(email: string, accounts: Accounts): CustomerAccount | undefined {
  const account = accounts.get(email.toLowerCase())
  const others = [...accounts.values()].filter((other) => other !== account && other.email === 'another@example.com')
  const foreign = others
    .flatMap(({ subscriptions }) => subscriptions)
    .filter(({ id, status }) => id === 'sub_3002' && status === 'cancelled')
  return account && { ...account, subscriptions: [...account.subscriptions, ...foreign] }
}

/** A server that answers each `Idempotency-Key` once, also after a refusal. */
function usedUp(): NonNullable<Mutant['request']> {
  const seen = new Set<string>()
  return (sent) => {
    const key = header(sent, idempotencyKey)
    if (key === undefined) return sent
    if (seen.has(key)) return refusal(409, 'request_in_progress')
    seen.add(key)
    return sent
  }
}

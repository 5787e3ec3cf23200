import type { CustomerRole, TimeStep } from '../../src/protocol.ts'
import type { ReadView } from '../values/address.ts'

/** Texts around the emails: inbox, top bar, shop menu, merchant data and sign-in. */
export const frameTexts = {
  customers: {
    title: 'View as',
    typeLabel: 'Another email address',
    typePlaceholder: 'name@example.com',
    typeButton: 'View',
    invalid: 'Enter a valid email address.',
    roles: {
      subscribed: 'Subscriber',
      cancelled: 'Canceled, can restart',
      otherCustomer: 'One box active, one canceled',
      empty: 'Not subscribed yet',
      unknown: 'Not a customer',
    } satisfies Record<CustomerRole, string>,
    typed: 'Entered by you',
    noneTitle: 'No customer selected',
    noneText: 'Enter the email address of a customer in the inbox.',
  },

  inbox: {
    title: 'Inbox',
    unread: 'Unread',
    widthLabel: 'Email width',
    desktop: 'Desktop',
    phone: 'Phone',
  },

  testData: {
    title: 'Test data',
    codes: 'Discount codes',
    codesHint: 'Click a code to apply it in the open email.',
    actions: 'Custom buttons',
    actionsHint: 'Adds a button for this action id to the last email.',
    actionLabel: 'Action id',
    actionButton: 'Add',
  },

  bar: {
    testData: 'Test data',
    testMode: 'Test mode',
    reference: 'API reference',
    menu: (shop: string, day: string) => `${shop}, ${day}`,
    menuTitle: 'The shop',
  },

  link: {
    invalid: {
      customer: 'The email address in this URL is not valid. The first customer is shown instead.',
      message: 'The email in this URL does not exist. The first email is shown instead.',
    } satisfies Record<ReadView['invalid'][number], string>,
    unknown: (email: string) => `This URL contains ${email}, but the shop has no customer with this email address.`,
    otherCall: (path: string) =>
      `This URL points to a request to ${path} that was sent in another window. To send the request in this window, click in the email.`,
    dismiss: 'Hide',
  },

  signIn: {
    title: 'You are signed out.',
    text: 'Open the URL that the program printed when it started, or paste it here. It ends in /?token=…',
    label: 'URL with the token, or only the token',
    button: 'Sign in',
    refused: 'This token is invalid.',
    offline: 'The playground server is not responding.',
    done: 'Signed in again.',
  },

  shopState: {
    intro: 'The merchant’s data, updated after every click.',
    since: {
      click: 'Last click',
      twice: 'Last click (sent twice)',
      date: 'New date',
      checks: 'Checks',
    },
    changed: {
      orders: (count: number) => (count === 1 ? '1 new order' : `${count} new orders`),
      touched: (count: number) => (count === 1 ? '1 order changed' : `${count} orders changed`),
      codes: (count: number) => (count === 1 ? '1 code use' : `${count} code uses`),
      actions: (count: number) => (count === 1 ? '1 action run' : `${count} action runs`),
      nothing: 'no changes',
    },
    summary: (cause: string, parts: readonly string[]) => `${cause}: ${parts.join(', ')}.`,
    orders: 'Orders',
    codeUses: 'Discount code uses',
    actionsRun: 'Action runs',
    noOrders: 'No orders yet. Click Send Now in the email, or skip to the next billing.',
    noCodeUses: 'No discount codes used yet.',
    noActions: 'No action runs yet.',
    fresh: 'New',
    touched: 'Changed',
    kinds: { subscription: 'Subscription', one_off: 'One-time order' },
    statuses: { open: 'open', processing: 'processing', shipped: 'shipped', cancelled: 'canceled' },
    oneTime: 'one-time',
    items: 'Items',
    discount: 'Discount',
    shipping: 'Shipping',
    tax: 'Tax',
    total: 'Total',
    inOrder: (id: string) => `in order ${id}`,
    waits: 'for the next order',
    failed: (reason: string) => `The shop data could not be loaded: ${reason}`,
    offline: 'The playground server is not responding.',
  },

  twice: {
    label: 'Each click is sent',
    choices: {
      once: 'Once',
      'at-once': 'Twice in parallel',
      'after-lost-answer': 'Twice, as a retry',
    },
    hints: {
      'at-once': 'Like a double click: two requests at the same time.',
      'after-lost-answer': 'Like a retry: the first response is lost, so the request is sent again.',
    },
    realShop: 'This is a real shop. Duplicate clicks change real data.',
    mark: '×2',
    markLabel: 'each click is sent twice',
    title: 'Both responses',
    first: 'First',
    second: 'Second',
    lost: 'Lost. The customer did not see it.',
    replayed:
      'The second response is a replay of the first, marked with Idempotency-Replayed. The change was made once.',
    alike: 'The two responses are identical. They do not show which request made the change.',
    oneRejected: 'One request succeeded. The other request was rejected.',
    noneWorked: 'Both requests failed.',
    look: 'See the effect in the shop',
  },

  time: {
    title: 'Shop date',
    really: (day: string) => `The real date is ${day}.`,
    skip: 'Skip to',
    steps: {
      'day-before': 'Day before the next billing',
      'next-billing': 'Next billing',
      'one-month': 'One month later',
    } satisfies Record<TimeStep, string>,
    noBilling: (email: string) => `${email} has no upcoming billing.`,
    explain: (email: string) =>
      `“Next billing” is the next billing date of ${email}. Orders due by the new date are billed for all customers.`,
    moving: 'Billing due orders…',
    done: (day: string, billed: number) =>
      `The date is now ${day}. ${billed === 0 ? 'No orders were due.' : billed === 1 ? '1 order was billed.' : `${billed} orders were billed.`}`,
    failed: (reason: string) => `Date not changed: ${reason}`,
    offline: 'Date not changed: the playground server is not responding.',
  },

  reset: {
    open: 'Reset the test shop',
    title: 'Reset the test shop?',
    text: 'This undoes every click, deletes the orders and sets the shop date to today. The API key and the token do not change.',
    confirm: 'Yes, reset',
    running: 'Resetting…',
    done: 'The test shop was reset.',
    failed: (reason: string) => `Not reset: ${reason}`,
    offline: 'Not reset: the playground server is not responding.',
  },
} as const

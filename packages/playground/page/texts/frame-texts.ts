import type { CustomerRole, TimeStep } from '../../src/protocol.ts'
import type { ReadView } from '../values/address.ts'

/** What is said around the emails: the inbox, the bar at the top, the shop and its date, what the merchant sees, signing in. */
export const frameTexts = {
  customers: {
    title: 'Read as',
    typeLabel: 'Another email address',
    typePlaceholder: 'name@example.com',
    typeButton: 'Read',
    invalid: 'This is not an email address.',
    roles: {
      subscribed: 'Subscriber',
      cancelled: 'Left, could come back',
      otherCustomer: 'One box active, one cancelled',
      empty: 'Not subscribed yet',
      unknown: 'A stranger to the shop',
    } satisfies Record<CustomerRole, string>,
    typed: 'Typed by you',
    noneTitle: 'Whose email?',
    noneText: 'Type the email address of a customer of the shop into the inbox.',
  },

  inbox: {
    title: 'Inbox',
    unread: 'Not read yet',
    widthLabel: 'Width of the email',
    desktop: 'Desktop',
    phone: 'Phone',
  },

  testData: {
    title: 'Test data',
    codes: 'Discount codes',
    codesHint: 'Puts the code into the open email.',
    actions: 'Custom buttons',
    actionsHint: 'Adds a button with this action id to the last email.',
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
    lacks: {
      customer: 'The address of this page names a customer that is no email address: you read as the first one.',
      message: 'The address of this page names an email that there is not: this is the first one.',
    } satisfies Record<ReadView['lacks'][number], string>,
    unknown: (email: string) => `The address of this page names ${email}, whom the shop does not know.`,
    otherCall: (path: string) =>
      `The address of this page names a call of ${path} that another window made. Click to make it here.`,
    dismiss: 'Hide this',
  },

  signIn: {
    title: 'You are signed out.',
    text: 'Open the address that the program printed when it started, or put it here. It ends in /?token=…',
    label: 'The address with the token, or the token alone',
    button: 'Sign in',
    refused: 'That token does not open this playground.',
    offline: 'The host of this page does not answer.',
    done: 'Signed in again.',
  },

  inside: {
    intro: 'What the merchant has, after every click.',
    since: {
      click: 'The last click',
      twice: 'The last click, which arrived twice',
      date: 'The new date',
      checks: 'The checks',
    },
    changed: {
      orders: (count: number) => (count === 1 ? '1 new order' : `${count} new orders`),
      touched: (count: number) => (count === 1 ? '1 order changed' : `${count} orders changed`),
      codes: (count: number) => (count === 1 ? '1 use of a code' : `${count} uses of codes`),
      actions: (count: number) => (count === 1 ? '1 action run' : `${count} actions run`),
      nothing: 'nothing changed here',
    },
    sayChanges: (since: string, parts: readonly string[]) => `${since}: ${parts.join(', ')}.`,
    orders: 'Orders',
    codeUses: 'Uses of codes',
    actionsRun: 'Actions run',
    noOrders: 'No order yet. Click Send Now in the email, or skip to the next billing.',
    noCodeUses: 'No code was used yet.',
    noActions: 'No action was run yet.',
    fresh: 'New',
    touched: 'Changed',
    kinds: { subscription: 'Subscription', one_off: 'One-off order' },
    statuses: { open: 'open', processing: 'in the works', shipped: 'shipped', cancelled: 'taken back' },
    oneTime: 'once',
    items: 'Items',
    discount: 'Discount',
    shipping: 'Shipping',
    tax: 'Tax',
    total: 'Total',
    inOrder: (id: string) => `in order ${id}`,
    waits: 'for the next order',
    failed: (reason: string) => `The host could not look into the shop: ${reason}`,
    offline: 'The host of this page does not answer.',
  },

  twice: {
    label: 'Each click arrives',
    choices: {
      once: 'Once',
      'at-once': 'Twice at once',
      'after-lost-answer': 'Again, answer lost',
    },
    hints: {
      'at-once': 'As when a finger double-clicks: two calls at the same moment.',
      'after-lost-answer': 'As when the network drops the first answer: the caller tries again.',
    },
    realShop: 'This is a real shop: what counts twice there, counts.',
    mark: '×2',
    markLabel: 'each click arrives twice',
    title: 'Both answers',
    first: 'First',
    second: 'Second',
    lost: 'lost on its way: the customer never saw it',
    replayed:
      'The second is the answer of the first, remembered: it says so with Idempotency-Replayed. The work was done once.',
    alike: 'The two answers are alike: nothing on the wire tells which of them did the work.',
    oneRefused: 'One of the two worked, the other was refused.',
    noneWorked: 'Neither of them worked.',
    look: 'See the one effect in the shop',
  },

  time: {
    title: 'The shop’s date',
    really: (day: string) => `The calendar says ${day}.`,
    skip: 'Skip to',
    steps: {
      'day-before': 'The day before the next billing',
      'next-billing': 'The next billing',
      'one-month': 'One month on',
    } satisfies Record<TimeStep, string>,
    noBilling: (email: string) => `${email} has no next billing.`,
    explain: (email: string) => `The next billing of ${email}. What is due by then, of all customers, is billed.`,
    moving: 'Billing what is due…',
    done: (day: string, billed: number) =>
      `It is ${day}. ${billed === 0 ? 'Nothing was due.' : billed === 1 ? '1 order was billed.' : `${billed} orders were billed.`}`,
    failed: (reason: string) => `Not moved: ${reason}`,
    offline: 'Not moved: the host of this page does not answer.',
  },

  reset: {
    open: 'Reset the test shop',
    title: 'Start over?',
    text: 'Every click is undone, the orders go, and the shop’s date is today again. The API key and the token stay.',
    confirm: 'Yes, reset it',
    cancel: 'Keep it',
    running: 'Resetting…',
    done: 'Everything is as it was at first.',
    failed: (reason: string) => `Not reset: ${reason}`,
    offline: 'Not reset: the host of this page does not answer.',
  },
} as const

import type { ErrorCode, WidgetName, Widgets } from '@storeport/core'
import type { CheckMode, CustomerRole } from '../src/protocol.ts'

/** The buttons of the contract table, by their names in `integration.widgets`. */
type ButtonName = { [Widget in WidgetName]: Exclude<keyof Widgets[Widget], 'ready'> }[WidgetName]

/** Every word that the page says, in one place. */
export const texts = {
  title: 'Playground',
  product: 'StorePort',
  skip: 'Skip to the email',
  loading: 'Loading',
  retry: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  copied: 'Copied',
  copyFailed: 'Select the text and copy it',
  testMode: 'Test mode',
  schemeButton: 'Dark scheme',

  panels: {
    label: 'Panels',
    inbox: 'Inbox',
    email: 'Email',
    wire: 'Behind it',
  },

  start: {
    failedTitle: 'The playground cannot start',
    hostOffline: 'The host of this page does not answer. Is it still running?',
    hostRefused: (reason: string) => `The host refused: ${reason}`,
    shopTitle: 'The shop could not be asked what it offers',
    shopProblem: (reason: string) => `It said: ${reason}. Until it answers, nothing can be shown.`,
  },

  offline: 'The host of this page does not answer. Start it again, then repeat the click.',

  customers: {
    title: 'Read as',
    typeLabel: 'Another email address',
    typePlaceholder: 'name@example.com',
    typeButton: 'Read',
    invalid: 'This is not an email address.',
    roles: {
      subscribed: 'Has an active subscription',
      cancelled: 'Cancelled, could come back',
      neighbour: 'One active, one cancelled',
      empty: 'No subscription yet',
      unknown: 'Nobody the shop knows',
    } satisfies Record<CustomerRole, string>,
    typed: 'Typed by you',
    noneTitle: 'Whose email?',
    noneText: 'Type the email address of a customer of the shop into the inbox.',
  },

  inbox: {
    title: 'Inbox',
    unread: 'Not read yet',
    to: 'to',
    now: 'just now',
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

  messages: {
    box: {
      subject: 'Your next box is nearly packed',
      preview: 'Have a look before we close the lid.',
      title: 'Your next box is nearly packed',
      intro: 'Here is what we have set aside for you. Move the day, swap something, or add a little more.',
    },
    shelf: {
      subject: 'New on the shelf this month',
      preview: 'Fresh in. Add one with a single click.',
      title: 'New on the shelf',
      intro: 'We unpacked these on Monday. If one of them speaks to you, it can travel with your next box.',
    },
    comeback: {
      subject: 'We kept your place',
      preview: 'Pick up exactly where you left off.',
      title: 'We kept your place',
      intro: 'Everything is as you left it. One click, and your box is on its way again.',
    },
    choices: {
      subject: 'Two minutes, one click',
      preview: 'Choose what suits you. No forms.',
      title: 'What would you like?',
      intro: 'Choose whatever suits you. There is no form to fill in and nothing to log in to.',
    },
  },

  /** What the caller's buttons say in the email. */
  buttons: {
    undoButton: 'Undo',
    sendNowButton: 'Send now',
    delayButton: 'Delay',
    swapButton: 'Swap',
  } satisfies Record<ButtonName, string>,

  footer: {
    reason: (email: string) => `This is what ${email} would see.`,
    preview: 'A preview: no email was sent.',
  },

  portal: {
    label: 'Your subscription',
    nextBox: 'Next box',
    inDays: (days: number) => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`),
    itemsLabel: 'In your box',
    quantity: (quantity: number, price: string) => `Quantity ${quantity}, ${price} each`,
    swapItem: (title: string) => `Swap ${title}`,
    totals: {
      items: 'Items',
      discount: 'Discount',
      shipping: 'Shipping',
      free: 'Free',
      tax: (rate: string) => `Estimated tax (${rate})`,
      total: 'Estimated total',
    },
    emptyTitle: 'No box on its way',
    emptyText: 'There is no active subscription at this address.',
    emptyBox: 'Your box is still empty.',
    sent: (day: string) => `Your box is on its way. The next one is planned for ${day}.`,
    delayed: (day: string) => `Done: moved to ${day}.`,
    swapped: (title: string) => `Swapped. ${title} is in your box now.`,
  },

  delay: {
    title: 'When should it come?',
    text: (day: string) => `Your next box is planned for ${day}.`,
    quick: 'Later by',
    weeks: (weeks: number) => (weeks === 1 ? '1 week' : `${weeks} weeks`),
    month: '1 month',
    choose: 'Choose a day',
    confirm: (day: string) => `Move it to ${day}`,
  },

  calendar: {
    previous: 'Previous month',
    next: 'Next month',
    current: 'planned now',
    months: [
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
    ],
    /** Monday first. */
    weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  },

  sendNow: {
    title: 'Ship it today?',
    text: (total: string) => `We pack your next box now and charge ${total}, estimated. This cannot be taken back.`,
    confirm: 'Yes, ship it now',
    cancel: 'Not yet',
  },

  swap: {
    title: (title: string) => `Swap ${title} for…`,
    confirm: 'Swap',
    empty: 'There is nothing to swap it for at the moment.',
  },

  upsells: {
    labelPersonal: 'Room for one more',
    labelGeneral: 'Fresh in',
    empty: 'You have everything already. Nothing to add this time.',
    was: 'Before',
    now: 'Now',
    withTax: (price: string) => `about ${price} with tax`,
    quantity: (title: string) => `Quantity of ${title}`,
    less: 'One less',
    more: 'One more',
    onlyNext: 'Only in my next box',
    add: 'Add',
    added: (quantity: number) => (quantity === 1 ? 'Added' : `${quantity} added`),
    announceAdded: (title: string) => `${title} was added.`,
    undoProduct: (title: string) => `Undo adding ${title}`,
    undone: 'Taken out again.',
    saves: (amount: string) => `You save ${amount}`,
  },

  discount: {
    label: 'Discount code',
    apply: 'Apply',
    remove: 'Remove',
    percentage: (code: string, percentage: string) => `${code}: ${percentage} off`,
    fixed: (code: string, amount: string) => `${code}: ${amount} off`,
  },

  reactivate: {
    label: 'Your paused boxes',
    perBox: (price: string) => `${price} a box`,
    start: 'Start again',
    startTitle: (title: string) => `Start again: ${title}`,
    started: 'Welcome back',
    announceStarted: (title: string) => `${title} is active again.`,
    emptyTitle: 'Nothing to pick up',
    emptyText: 'There is no cancelled box at this address that could be started again.',
  },

  actions: {
    label: 'Choose',
    done: 'Done',
    announceDone: (label: string) => `${label}: done.`,
    emptyTitle: 'No buttons yet',
    emptyText: 'Add an action id under “Test data” to put a button here.',
  },

  absent: {
    widgets: {
      upsells: 'No product cards',
      portal: 'No subscription',
      reactivate: 'No come-back list',
      customAction: 'No custom buttons',
      discounts: 'No discount codes',
    } satisfies Record<WidgetName, string>,
    needs: (names: string) => `The caller leaves this out: it needs ${names}.`,
  },

  /** What the customer reads when a click did not work, by error code. */
  customerErrors: {
    customer_not_found: 'We could not find you in our books. Please write to us.',
    subscription_not_found: 'There is no active box at this address to do this with.',
    product_unavailable: 'This one is sold out at the moment.',
    product_not_found: 'We do not carry this one any more.',
    product_not_in_order: 'There is nothing left to take back: it may have shipped already.',
    item_not_found: 'This is no longer in your box. Please open the email again.',
    invalid_date: 'This day does not work any more. Please choose a later one.',
    invalid_discount_code: 'This code does not work any more.',
    discount_not_found: 'We do not know this code, or it has run out.',
    order_already_processing: 'A box of yours is being packed today already.',
    order_not_processable: 'We cannot pack this box yet.',
    subscription_not_cancelled: 'This box is active already.',
    subscription_not_eligible: 'It has been too long: this box cannot be started again.',
    payment_failed: 'The payment did not go through. Please check how you pay.',
    action_not_found: 'This offer has ended.',
    action_not_allowed: 'This offer is not for you, sorry.',
    rate_limited: 'That was a bit fast. Please try again in a moment.',
    host_offline: 'We cannot be reached at the moment. Please try again.',
    shop_unreachable: 'We cannot be reached at the moment. Please try again.',
  } satisfies Partial<Record<ErrorCode | 'host_offline' | 'shop_unreachable', string>>,
  customerErrorOther: 'Something went wrong on our side. Please try again in a moment.',

  wire: {
    title: 'Behind it',
    tabs: { calls: 'Calls', endpoints: 'Endpoints', checks: 'Checks' },
    emptyTitle: 'No calls yet',
    emptyText: 'Open an email and click: every request and its answer appear here.',
    clear: 'Clear',
    count: (count: number) => (count === 1 ? '1 call' : `${count} calls`),
    running: 'running',
    noAnswer: 'no answer',
    milliseconds: (duration: string) => `${duration} ms`,
    request: 'Request',
    response: 'Response',
    headers: (count: number) => (count === 1 ? '1 header' : `${count} headers`),
    noBody: 'No body.',
    curl: 'As a command',
    copyCurl: 'Copy as curl',
    customerReads: 'The customer reads',
    developerReads: 'You read',
    customerNothing: 'An empty place, no error.',
    hostOffline: 'The host of this page did not answer: nobody knows whether the call reached the shop.',
    unreachable: (problem: string) => `The shop did not answer: ${problem}.`,
    refusedByHost: 'The host of this page refused to pass the call on.',
    invalidAnswer: (issue: string) => `The answer is not what the contract says: ${issue}`,
    notAnEnvelope: 'it is not a JSON object with success and error',
    noData: 'data is missing',
  },

  endpoints: {
    intro: 'Switch an endpoint off and see what the caller leaves out. Nothing changes in the shop.',
    shows: 'What the caller shows',
    notOffered: 'The shop does not offer it.',
    switchLabel: (name: string) => `Offer ${name}`,
    yes: 'shown',
    no: 'left out',
    parts: {
      upsells: 'Product cards',
      portal: 'Subscription',
      reactivate: 'Come-back list',
      customAction: 'Custom buttons',
      discounts: 'Discount codes',
    } satisfies Record<WidgetName, string>,
    button: (label: string) => `${label} button`,
    /** What goes when an endpoint goes. */
    needs: (parts: readonly string[]) => `Needed by: ${parts.join(', ')}.`,
  },

  checks: {
    intro: 'Asks the shop hundreds of questions that a caller could ask, and says which answers break the contract.',
    modeLabel: 'How far',
    modes: {
      'read-only': 'Only look',
      default: 'Look and write',
      stress: 'Everything, bursts too',
    } satisfies Record<CheckMode, string>,
    modeHints: {
      'read-only': 'Changes nothing.',
      default: 'Uses up what the test customers have.',
      stress: 'Uses up what the test customers have, and sends many calls at once.',
    } satisfies Record<CheckMode, string>,
    run: 'Run the checks',
    stop: 'Stop',
    progress: 'Progress of the checks',
    running: (done: number, total: number) => `${done} of ${total}`,
    stopped: 'Stopped.',
    conforms: 'Everything that was checked holds.',
    fails: (failed: number) => (failed === 1 ? 'One check failed.' : `${failed} checks failed.`),
    passed: 'passed',
    failed: 'failed',
    skipped: 'skipped',
    expected: 'Expected',
    received: 'Received',
    request: 'Request',
    emptyTitle: 'Not checked yet',
    emptyText: 'The report appears here as it grows.',
    problem: (message: string) => `The checks could not be made: ${message}.`,
  },
} as const

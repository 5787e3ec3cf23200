import type { ErrorCode, WidgetName } from '@storeport/core'

/** Failures that are not the shop's own words. */
type OwnCode = 'host_offline' | 'shop_unreachable' | 'invalid_answer' | 'given_up'

/** What the emails say. */
export const emailTexts = {
  messages: {
    box: {
      subject: 'Your next box is nearly packed',
      preview: 'Have a look before we close the lid.',
      title: 'Your next box is nearly packed',
      intro: 'Here is what we have set aside for you. Move the day, swap something, or add a little more.',
      empty: {
        title: 'No box on its way',
        intro:
          'There is no active subscription at this address. Whatever speaks to you below can be ordered by itself.',
      },
    },
    shelf: {
      subject: 'New on the shelf this month',
      preview: 'Fresh in. Add one with a single click.',
      title: 'New on the shelf',
      intro: 'We unpacked these on Monday. If one of them speaks to you, it can travel with your next box.',
      empty: {
        title: 'The shelf is empty today',
        intro: 'There is nothing to offer at the moment. We write again when there is.',
      },
    },
    comeback: {
      subject: 'We kept your place',
      preview: 'Pick up exactly where you left off.',
      title: 'We kept your place',
      intro: 'Everything is as you left it. One click, and your box is on its way again.',
      empty: {
        title: 'Nothing to pick up',
        intro: 'There is no cancelled box at this address that could be started again.',
      },
    },
    choices: {
      subject: 'Two minutes, one click',
      preview: 'Choose what suits you. No forms.',
      title: 'What would you like?',
      intro: 'Choose whatever suits you. There is no form to fill in and nothing to log in to.',
      empty: {
        title: 'Nothing to choose yet',
        intro: 'Add an action id under “Test data” to put a button here.',
      },
    },
  },

  /** In place of an email's own words, for who is no customer of the shop. */
  stranger: {
    title: 'We have not met yet',
    intro: 'The shop knows nobody at this address.',
  },

  footer: {
    reason: (email: string) => `This is what ${email} would see.`,
    preview: 'A preview: no email was sent.',
  },

  portal: {
    label: 'Your subscription',
    nextBox: 'Next box',
    /** Nothing where the distance says less than the date. */
    inDays: (days: number) => {
      if (days < -365 || days > 365) return null
      if (days < 0) return days === -1 ? 'yesterday' : `${-days} days ago`
      return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`
    },
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
    emptyBox: 'Your box is still empty.',
    sent: 'Your box is on its way.',
    sentNext: (day: string) => `Your box is on its way. The next one is planned for ${day}.`,
    delayed: (day: string) => `Your box moves to ${day}.`,
    delayedBehind: (day: string, next: string) =>
      `Your box moves to ${day}. Another of yours comes before, on ${next}.`,
    swapped: (title: string) => `Swapped: ${title} is in your box now.`,
  },

  delay: {
    title: 'When should it come?',
    text: (day: string) => `Your next box is planned for ${day}.`,
    quick: 'Later by',
    weeks: (weeks: number) => (weeks === 1 ? '1 week' : `${weeks} weeks`),
    month: '1 month',
    choose: 'Choose a day',
    confirm: (day: string) => `Move it to ${day}`,
    move: 'Move it',
    tooEarly: (day: string) => `Choose ${day} or a later day.`,
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
    now: (line: string, total: string) => `Now ${line}, ${total} a box.`,
    more: (amount: string) => `+${amount} a box`,
    less: (amount: string) => `−${amount} a box`,
    same: 'same price',
  },

  upsells: {
    labelPersonal: 'Room for one more',
    labelGeneral: 'Fresh in',
    empty: 'Nothing to add this time.',
    was: 'Before',
    now: 'Now',
    withTax: (price: string) => `about ${price} with tax`,
    quantity: (title: string) => `Quantity of ${title}`,
    less: 'One less',
    more: 'One more',
    onlyNext: 'Only in my next box',
    add: 'Add',
    added: (quantity: number) => (quantity === 1 ? 'Added' : `${quantity} added`),
    announceAdded: (title: string, quantity: number) =>
      `${quantity === 1 ? '' : `${quantity} × `}${title} ${quantity === 1 ? 'was' : 'were'} added to your order.`,
    undoProduct: (title: string) => `Undo adding ${title}`,
    undone: (title: string) => `${title} was taken out again.`,
    saves: (amount: string) => `You save ${amount}`,
  },

  discount: {
    label: 'Discount code',
    apply: 'Apply',
    remove: 'Remove',
    off: (amount: string) => `${amount} off`,
    accepted: (code: string, off: string) => `${code} is applied: ${off}.`,
    removeCode: (code: string) => `Remove ${code}`,
  },

  reactivate: {
    label: 'Your paused boxes',
    perBox: (price: string) => `${price} a box`,
    start: 'Start again',
    startTitle: (title: string) => `Start again: ${title}`,
    started: 'Welcome back',
    announceStarted: (title: string) => `${title} is active again.`,
  },

  actions: {
    label: 'Choose',
    done: 'Done',
    announceDone: (label: string) => `${label}: done.`,
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
    invalid_answer: 'This part cannot be shown at the moment: the shop’s answer makes no sense.',
    given_up: 'The shop has not answered. Nothing is shown here for now.',
  } satisfies Partial<Record<ErrorCode | OwnCode, string>>,
  customerErrorOther: 'Something went wrong on our side. Please try again in a moment.',
} as const

import type { ErrorCode, WidgetName } from '@storeport/core'

type PlaygroundCode = 'host_offline' | 'shop_unreachable' | 'invalid_answer' | 'given_up'

/** Texts of the emails. */
export const emailTexts = {
  messages: {
    box: {
      subject: 'Your next box is nearly packed',
      preview: 'Have a look before we close the lid.',
      title: 'Your next box is nearly packed',
      intro: 'Here is what we have set aside for you. Move the date, swap something, or add a little more.',
      empty: {
        title: 'No box on its way',
        intro: 'You do not have an active subscription. You can order any product below on its own.',
      },
    },
    shelf: {
      subject: 'New on the shelf this month',
      preview: 'Just arrived. Add one with a single click.',
      title: 'New on the shelf',
      intro: 'These products just arrived. Add one to your next box with a single click.',
      empty: {
        title: 'No new products today',
        intro: 'We have nothing new right now. We will email you when we do.',
      },
    },
    comeback: {
      subject: 'We saved your spot',
      preview: 'Pick up exactly where you left off.',
      title: 'We saved your spot',
      intro: 'Everything is as you left it. Restart your box with one click.',
      empty: {
        title: 'Nothing to restart',
        intro: 'You do not have a canceled box that you can restart.',
      },
    },
    choices: {
      subject: 'Two minutes, one click',
      preview: 'Choose what suits you. No forms.',
      title: 'What would you like?',
      intro: 'Choose what suits you. No form and no login.',
      empty: {
        title: 'No buttons yet',
        intro: 'Add an action id under “Test data” to add a button here.',
      },
    },
  },

  /** Replaces the text of an email if the customer is not found. */
  customerNotFound: {
    title: 'Customer not found',
    intro: 'The shop has no customer with this email address.',
  },

  footer: {
    reason: (email: string) => `This is what ${email} would see.`,
    preview: 'This is a preview. No email was sent.',
  },

  portal: {
    label: 'Your subscription',
    nextBox: 'Next box',
    /** Returns `null` if the date is more than a year away. */
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
    sentNext: (day: string) => `Your box is on its way. The next box is planned for ${day}.`,
    delayed: (day: string) => `Your box moves to ${day}.`,
    delayedBehind: (day: string, next: string) => `Your box moves to ${day}. Your other box ships first, on ${next}.`,
    swapped: (title: string) => `Swapped: ${title} is in your box now.`,
  },

  delay: {
    title: 'Delay your next box',
    text: (day: string) => `Your next box is planned for ${day}.`,
    quick: 'Delay by',
    weeks: (weeks: number) => (weeks === 1 ? '1 week' : `${weeks} weeks`),
    month: '1 month',
    choose: 'Choose a date',
    confirm: (day: string) => `Move to ${day}`,
    move: 'Move',
    tooEarly: (day: string) => `Choose ${day} or later.`,
  },

  sendNow: {
    title: 'Ship your box today?',
    text: (total: string) => `We will pack your next box now and charge about ${total}. This cannot be undone.`,
    confirm: 'Yes, ship it now',
    cancel: 'Not yet',
  },

  swap: {
    title: (title: string) => `Swap ${title} for…`,
    confirm: 'Swap',
    empty: 'No other products are available.',
    now: (line: string, total: string) => `Current: ${line}, ${total} per box.`,
    more: (amount: string) => `+${amount} per box`,
    less: (amount: string) => `−${amount} per box`,
    same: 'same price',
  },

  upsells: {
    labelPersonal: 'Room for one more',
    labelGeneral: 'New arrivals',
    empty: 'Nothing to add this time.',
    was: 'Was',
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
    undone: (title: string) => `${title} was removed.`,
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
    label: 'Your canceled boxes',
    perBox: (price: string) => `${price} per box`,
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
      reactivate: 'No reactivation list',
      customAction: 'No custom buttons',
      discounts: 'No discount codes',
    } satisfies Record<WidgetName, string>,
    needs: (names: string) => `The email platform hides this part. It requires ${names}.`,
  },

  /** Messages for the customer after a failed click, by error code. */
  customerErrors: {
    customer_not_found: 'We could not find your account. Please contact us.',
    subscription_not_found: 'You need an active subscription to do this.',
    product_unavailable: 'This product is sold out.',
    product_not_found: 'We no longer sell this product.',
    product_not_in_order: 'There is nothing to undo. It may have shipped already.',
    item_not_found: 'This item is no longer in your box. Please open the email again.',
    invalid_date: 'This date is no longer available. Please choose a later date.',
    invalid_discount_code: 'This code is no longer valid.',
    discount_not_found: 'This code is invalid or has expired.',
    order_already_processing: 'One of your boxes is already being packed today.',
    order_not_processable: 'We cannot pack this box yet.',
    subscription_not_cancelled: 'This box is already active.',
    subscription_not_eligible: 'This box was canceled too long ago to be restarted.',
    payment_failed: 'The payment failed. Please check your payment method.',
    action_not_found: 'This offer has ended.',
    action_not_allowed: 'This offer is not available to you.',
    rate_limited: 'Too many clicks. Please try again in a moment.',
    host_offline: 'The shop is not responding. Please try again.',
    shop_unreachable: 'The shop is not responding. Please try again.',
    invalid_answer: 'This part cannot be shown. The shop’s response is invalid.',
    given_up: 'The shop has not responded, so this part is empty.',
  } satisfies Partial<Record<ErrorCode | PlaygroundCode, string>>,
  customerErrorOther: 'An error occurred. Please try again in a moment.',
} as const

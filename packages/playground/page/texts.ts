import type { ErrorCode, WidgetName } from '@storeport/core'

type PageCode = 'host_offline' | 'shop_unreachable' | 'invalid_answer' | 'given_up'

/** Texts that are selected by a name or a code. Other texts are in the components that display them. */
export const texts = {
  /** Texts of the emails in the inbox. `empty` is used for an email without content. */
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
        intro: 'You do not have a cancelled box that you can restart.',
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
  notFound: {
    title: 'Customer not found',
    intro: 'The shop has no customer with this email address.',
  },

  /** Names of the widgets in an email. */
  widgets: {
    upsells: 'product cards',
    portal: 'subscription',
    reactivate: 'reactivation list',
    customAction: 'custom buttons',
    discounts: 'discount codes',
  } satisfies Record<WidgetName, string>,

  /** Messages about the invalid parts of a URL. */
  invalid: {
    customer: 'The email address in this URL is not valid. The first customer is shown instead.',
    message: 'The email in this URL does not exist. The first email is shown instead.',
  },

  /** Mark of a response with the header Idempotency-Replayed. */
  repeat: 'Repeat: counted once',

  /** Comparisons of the two responses to a click that was sent twice. */
  comparisons: {
    replayed: 'One response is a repeat of the other, marked with Idempotency-Replayed. The change was made once.',
    alike:
      'Both requests succeeded. The responses do not show whether the click took effect twice. Check the result in the shop.',
    oneRejected: 'One request succeeded. The other request was rejected.',
    noneWorked: 'Both requests failed.',
    countedOnce: 'Both requests succeeded. The subscription shows that the click took effect once.',
    countedTwice: 'The click took effect twice. The shop does not detect duplicate clicks.',
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
    subscription_not_eligible: 'This box was cancelled too long ago to be restarted.',
    payment_failed: 'The payment failed. Please check your payment method.',
    action_not_found: 'This offer has ended.',
    action_not_allowed: 'This offer is not available to you.',
    rate_limited: 'Too many clicks. Please try again in a moment.',
    host_offline: 'The shop is not responding. Please try again.',
    shop_unreachable: 'The shop is not responding. Please try again.',
    invalid_answer: 'This part cannot be shown. The shop’s response is invalid.',
    given_up: 'The shop has not responded, so this part is empty.',
  } satisfies Partial<Record<ErrorCode | PageCode, string>>,
} as const

/** Returns a product title in which a number and its unit, such as `500 g`, stay on one line. */
export function keepUnits(title: string): string {
  return title.replaceAll(/(\d) (?=\p{L}{1,3}\b)/gu, '$1\u00A0')
}

/** Returns a number with its noun, such as `2 orders`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns a text with a capital first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

import type { CustomerRole } from '../../src/protocol.ts'

/** What the inbox says. */
export const inboxTexts = {
  customers: {
    title: 'Read as',
    typeLabel: 'Another email address',
    typePlaceholder: 'name@example.com',
    typeButton: 'Read',
    invalid: 'This is not an email address.',
    roles: {
      subscribed: 'Subscriber',
      cancelled: 'Left, could come back',
      neighbour: 'One box active, one cancelled',
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
} as const

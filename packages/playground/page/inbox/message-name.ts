/** The emails of the inbox, in order. */
export const messageNames = ['box', 'shelf', 'comeback', 'choices'] as const

/** One of the emails. */
export type MessageName = (typeof messageNames)[number]

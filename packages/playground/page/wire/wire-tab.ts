/** The tabs behind the email, in order. */
export const wireTabs = ['calls', 'shop', 'endpoints', 'checks'] as const

/** One of the tabs. */
export type WireTab = (typeof wireTabs)[number]

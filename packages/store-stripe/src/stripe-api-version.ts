/** The version of Stripe's API that requests and answers are written for. */
export const stripeApiVersion = '2026-10-28.endive'

export { stripeApiVersion } from './stripe-api-version.ts'
export { type StripeSettingsCode, StripeSettingsError } from './stripe-settings-error.ts'
export { stripeStore, type StripeStore } from './stripe-store.ts'
export type { CustomerChange, StripeAction, StripeStoreOptions } from './stripe-store-options.ts'

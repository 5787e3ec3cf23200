export { stripeApiVersion } from './stripe/settings.ts'
export { type StripeSettingsCode, StripeSettingsError } from './stripe/settings.ts'
export { stripeStore, type StripeStore } from './stripe-store.ts'
export type {
  BillingInterval,
  CustomerChange,
  StripeAction,
  StripeStoreOptions,
} from './stripe/stripe-store-options.ts'

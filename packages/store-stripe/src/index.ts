export { stripeApiVersion } from './stripe-api-version.ts'

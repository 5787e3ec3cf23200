import type { Stripe } from 'stripe'
import type { StripeAccount } from './stripe-account.ts'

/** Parameters of the supported requests. */
export interface StripeRequests {
  'POST /v1/coupons': Stripe.CouponCreateParams
  'DELETE /v1/coupons/{id}': Stripe.CouponDeleteParams
  'GET /v1/customers': Stripe.CustomerListParams
  'POST /v1/customers': Stripe.CustomerCreateParams
  'POST /v1/customers/{id}': Stripe.CustomerUpdateParams
  'DELETE /v1/invoiceitems/{id}': Stripe.InvoiceItemDeleteParams
  'GET /v1/invoiceitems': Stripe.InvoiceItemListParams
  'POST /v1/invoiceitems': Stripe.InvoiceItemCreateParams
  'POST /v1/invoiceitems/{id}': Stripe.InvoiceItemUpdateParams
  'GET /v1/invoices': Stripe.InvoiceListParams
  'POST /v1/invoices/create_preview': Stripe.InvoiceCreatePreviewParams
  'POST /v1/payment_methods/{id}/attach': Stripe.PaymentMethodAttachParams
  'GET /v1/prices': Stripe.PriceListParams
  'POST /v1/prices': Stripe.PriceCreateParams
  'POST /v1/prices/{id}': Stripe.PriceUpdateParams
  'GET /v1/products': Stripe.ProductListParams
  'POST /v1/products': Stripe.ProductCreateParams
  'POST /v1/products/{id}': Stripe.ProductUpdateParams
  'GET /v1/promotion_codes': Stripe.PromotionCodeListParams
  'POST /v1/promotion_codes': Stripe.PromotionCodeCreateParams
  'POST /v1/promotion_codes/{id}': Stripe.PromotionCodeUpdateParams
  'POST /v1/test_helpers/test_clocks': Stripe.TestHelpers.TestClockCreateParams
  'GET /v1/test_helpers/test_clocks/{id}': Stripe.TestHelpers.TestClockRetrieveParams
  'POST /v1/test_helpers/test_clocks/{id}/advance': Stripe.TestHelpers.TestClockAdvanceParams
  'DELETE /v1/test_helpers/test_clocks/{id}': Stripe.TestHelpers.TestClockDeleteParams
  'POST /v1/tax_rates/{id}': Stripe.TaxRateUpdateParams
  'POST /v1/tax_rates': Stripe.TaxRateCreateParams
  'GET /v1/customers/search': Stripe.CustomerSearchParams
  'DELETE /v1/subscriptions/{id}': Stripe.SubscriptionCancelParams
  'GET /v1/subscriptions': Stripe.SubscriptionListParams
  'GET /v1/subscriptions/{id}': Stripe.SubscriptionRetrieveParams
  'POST /v1/subscriptions': Stripe.SubscriptionCreateParams
  'POST /v1/subscriptions/{id}': Stripe.SubscriptionUpdateParams
}

/** Method and path of a supported request, with `{id}` as a placeholder. */
export type StripeRequestName = keyof StripeRequests

/** Handlers of all supported requests. Each handler returns its resource with ids instead of expanded objects. */
export type Handlers = {
  readonly [Name in StripeRequestName]: (account: StripeAccount, params: StripeRequests[Name], id: string) => object
}

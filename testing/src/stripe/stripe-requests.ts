import type { Stripe } from 'stripe'
import type { StripeAccount } from './stripe-account.ts'

/**
 * The supported requests, with the types from the `stripe` package for parameters (`params`) and responses (`answer`).
 * `npm run stripe:schemas` generates `schemas.json` from this interface.
 */
export interface StripeRequests {
  'POST /v1/coupons': { params: Stripe.CouponCreateParams; answer: Stripe.Coupon }
  'DELETE /v1/coupons/{id}': { params: Stripe.CouponDeleteParams; answer: Stripe.DeletedCoupon }
  'GET /v1/customers': { params: Stripe.CustomerListParams; answer: Stripe.ApiList<Stripe.Customer> }
  'GET /v1/customers/{id}': { params: Stripe.CustomerRetrieveParams; answer: Stripe.Customer }
  'POST /v1/customers': { params: Stripe.CustomerCreateParams; answer: Stripe.Customer }
  'POST /v1/customers/{id}': { params: Stripe.CustomerUpdateParams; answer: Stripe.Customer }
  'DELETE /v1/invoiceitems/{id}': { params: Stripe.InvoiceItemDeleteParams; answer: Stripe.DeletedInvoiceItem }
  'GET /v1/invoiceitems': { params: Stripe.InvoiceItemListParams; answer: Stripe.ApiList<Stripe.InvoiceItem> }
  'POST /v1/invoiceitems': { params: Stripe.InvoiceItemCreateParams; answer: Stripe.InvoiceItem }
  'POST /v1/invoiceitems/{id}': { params: Stripe.InvoiceItemUpdateParams; answer: Stripe.InvoiceItem }
  'GET /v1/invoices': { params: Stripe.InvoiceListParams; answer: Stripe.ApiList<Stripe.Invoice> }
  'POST /v1/invoices/create_preview': { params: Stripe.InvoiceCreatePreviewParams; answer: Stripe.Invoice }
  'POST /v1/payment_methods/{id}/attach': { params: Stripe.PaymentMethodAttachParams; answer: Stripe.PaymentMethod }
  'GET /v1/prices': { params: Stripe.PriceListParams; answer: Stripe.ApiList<Stripe.Price> }
  'POST /v1/prices': { params: Stripe.PriceCreateParams; answer: Stripe.Price }
  'POST /v1/prices/{id}': { params: Stripe.PriceUpdateParams; answer: Stripe.Price }
  'GET /v1/products': { params: Stripe.ProductListParams; answer: Stripe.ApiList<Stripe.Product> }
  'POST /v1/products': { params: Stripe.ProductCreateParams; answer: Stripe.Product }
  'POST /v1/products/{id}': { params: Stripe.ProductUpdateParams; answer: Stripe.Product }
  'GET /v1/promotion_codes': { params: Stripe.PromotionCodeListParams; answer: Stripe.ApiList<Stripe.PromotionCode> }
  'POST /v1/promotion_codes': { params: Stripe.PromotionCodeCreateParams; answer: Stripe.PromotionCode }
  'POST /v1/promotion_codes/{id}': { params: Stripe.PromotionCodeUpdateParams; answer: Stripe.PromotionCode }
  'POST /v1/test_helpers/test_clocks': {
    params: Stripe.TestHelpers.TestClockCreateParams
    answer: Stripe.TestHelpers.TestClock
  }
  'GET /v1/test_helpers/test_clocks/{id}': {
    params: Stripe.TestHelpers.TestClockRetrieveParams
    answer: Stripe.TestHelpers.TestClock
  }
  'POST /v1/test_helpers/test_clocks/{id}/advance': {
    params: Stripe.TestHelpers.TestClockAdvanceParams
    answer: Stripe.TestHelpers.TestClock
  }
  'DELETE /v1/test_helpers/test_clocks/{id}': {
    params: Stripe.TestHelpers.TestClockDeleteParams
    answer: Stripe.TestHelpers.DeletedTestClock
  }
  'POST /v1/tax_rates/{id}': { params: Stripe.TaxRateUpdateParams; answer: Stripe.TaxRate }
  'POST /v1/tax_rates': { params: Stripe.TaxRateCreateParams; answer: Stripe.TaxRate }
  'GET /v1/customers/search': { params: Stripe.CustomerSearchParams; answer: Stripe.ApiSearchResult<Stripe.Customer> }
  'DELETE /v1/subscriptions/{id}': { params: Stripe.SubscriptionCancelParams; answer: Stripe.Subscription }
  'GET /v1/subscriptions': { params: Stripe.SubscriptionListParams; answer: Stripe.ApiList<Stripe.Subscription> }
  'GET /v1/subscriptions/{id}': { params: Stripe.SubscriptionRetrieveParams; answer: Stripe.Subscription }
  'POST /v1/subscriptions': { params: Stripe.SubscriptionCreateParams; answer: Stripe.Subscription }
  'POST /v1/subscriptions/{id}': { params: Stripe.SubscriptionUpdateParams; answer: Stripe.Subscription }
}

/** Handlers of all supported requests. Each handler returns its resource with ids instead of expanded objects. */
export type Handlers = {
  readonly [Name in keyof StripeRequests]: Handler<StripeRequests[Name]['params'], StripeRequests[Name]['answer']>
}

type Handler<Params, Resource> = (account: StripeAccount, params: Params, id: string) => Resource

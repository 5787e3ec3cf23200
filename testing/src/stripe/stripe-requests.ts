import type { Stripe } from 'stripe'

/**
 * The requests that the stand-in answers, with the vendor's own types of what is sent (`params`) and of what comes back
 * (`answer`). `npm run stripe:schemas` makes `schemas.json` from this table; the handlers are typed by it.
 */
export interface StripeRequests {
  'GET /v1/coupons/{id}': { params: Stripe.CouponRetrieveParams; answer: Stripe.Coupon }
  'POST /v1/coupons': { params: Stripe.CouponCreateParams; answer: Stripe.Coupon }
  'GET /v1/customers': { params: Stripe.CustomerListParams; answer: Stripe.ApiList<Stripe.Customer> }
  'GET /v1/customers/{id}': { params: Stripe.CustomerRetrieveParams; answer: Stripe.Customer }
  'POST /v1/customers': { params: Stripe.CustomerCreateParams; answer: Stripe.Customer }
  'POST /v1/customers/{id}': { params: Stripe.CustomerUpdateParams; answer: Stripe.Customer }
  'DELETE /v1/invoiceitems/{id}': { params: Stripe.InvoiceItemDeleteParams; answer: Stripe.DeletedInvoiceItem }
  'GET /v1/invoiceitems': { params: Stripe.InvoiceItemListParams; answer: Stripe.ApiList<Stripe.InvoiceItem> }
  'GET /v1/invoiceitems/{id}': { params: Stripe.InvoiceItemRetrieveParams; answer: Stripe.InvoiceItem }
  'POST /v1/invoiceitems': { params: Stripe.InvoiceItemCreateParams; answer: Stripe.InvoiceItem }
  'POST /v1/invoiceitems/{id}': { params: Stripe.InvoiceItemUpdateParams; answer: Stripe.InvoiceItem }
  'GET /v1/invoices': { params: Stripe.InvoiceListParams; answer: Stripe.ApiList<Stripe.Invoice> }
  'GET /v1/invoices/{id}': { params: Stripe.InvoiceRetrieveParams; answer: Stripe.Invoice }
  'POST /v1/invoices/create_preview': { params: Stripe.InvoiceCreatePreviewParams; answer: Stripe.Invoice }
  'POST /v1/invoices/{id}/finalize': { params: Stripe.InvoiceFinalizeInvoiceParams; answer: Stripe.Invoice }
  'POST /v1/invoices/{id}/pay': { params: Stripe.InvoicePayParams; answer: Stripe.Invoice }
  'POST /v1/payment_methods/{id}/attach': { params: Stripe.PaymentMethodAttachParams; answer: Stripe.PaymentMethod }
  'GET /v1/prices': { params: Stripe.PriceListParams; answer: Stripe.ApiList<Stripe.Price> }
  'GET /v1/prices/{id}': { params: Stripe.PriceRetrieveParams; answer: Stripe.Price }
  'POST /v1/prices': { params: Stripe.PriceCreateParams; answer: Stripe.Price }
  'POST /v1/prices/{id}': { params: Stripe.PriceUpdateParams; answer: Stripe.Price }
  'GET /v1/products': { params: Stripe.ProductListParams; answer: Stripe.ApiList<Stripe.Product> }
  'GET /v1/products/{id}': { params: Stripe.ProductRetrieveParams; answer: Stripe.Product }
  'POST /v1/products': { params: Stripe.ProductCreateParams; answer: Stripe.Product }
  'POST /v1/products/{id}': { params: Stripe.ProductUpdateParams; answer: Stripe.Product }
  'GET /v1/promotion_codes': { params: Stripe.PromotionCodeListParams; answer: Stripe.ApiList<Stripe.PromotionCode> }
  'GET /v1/promotion_codes/{id}': { params: Stripe.PromotionCodeRetrieveParams; answer: Stripe.PromotionCode }
  'POST /v1/promotion_codes': { params: Stripe.PromotionCodeCreateParams; answer: Stripe.PromotionCode }
  'POST /v1/promotion_codes/{id}': { params: Stripe.PromotionCodeUpdateParams; answer: Stripe.PromotionCode }
  'DELETE /v1/subscription_items/{id}': {
    params: Stripe.SubscriptionItemDeleteParams
    answer: Stripe.DeletedSubscriptionItem
  }
  'GET /v1/subscription_items': {
    params: Stripe.SubscriptionItemListParams
    answer: Stripe.ApiList<Stripe.SubscriptionItem>
  }
  'POST /v1/subscription_items': { params: Stripe.SubscriptionItemCreateParams; answer: Stripe.SubscriptionItem }
  'POST /v1/subscription_items/{id}': { params: Stripe.SubscriptionItemUpdateParams; answer: Stripe.SubscriptionItem }
  'DELETE /v1/subscriptions/{id}': { params: Stripe.SubscriptionCancelParams; answer: Stripe.Subscription }
  'GET /v1/subscriptions': { params: Stripe.SubscriptionListParams; answer: Stripe.ApiList<Stripe.Subscription> }
  'GET /v1/subscriptions/{id}': { params: Stripe.SubscriptionRetrieveParams; answer: Stripe.Subscription }
  'POST /v1/subscriptions': { params: Stripe.SubscriptionCreateParams; answer: Stripe.Subscription }
  'POST /v1/subscriptions/{id}': { params: Stripe.SubscriptionUpdateParams; answer: Stripe.Subscription }
}

export type * from './account/customer-account.ts'
export { billDue, billUncharged, findDue, readBillLimit } from './account/bill-due.ts'
export type { BillDueOptions, BillDueResult, BillPosition } from './account/bill-due.ts'
export { completedClick } from './account/charges.ts'
export { checkAccount } from './account/check-account.ts'
export { nextBillingAfter, nextBillingDate } from './account/subscriptions.ts'
export { nextOrderTotals } from './account/orders.ts'
export { shownDate, soonest } from './account/subscriptions.ts'
export { fromProduct } from './account/wire.ts'
export { addProduct } from './operations/add-product.ts'
export * from './bind-rules.ts'
export * from './changes-of.ts'
export * from './charge-orders.ts'
export { delaySubscription } from './operations/delay-subscription.ts'
export { getDiscount } from './operations/get-discount.ts'
export { getSubscription } from './operations/get-subscription.ts'
export { listCancelledSubscriptions } from './operations/list-cancelled-subscriptions.ts'
export { listProducts } from './operations/list-products.ts'
export { reactivateSubscription } from './operations/reactivate-subscription.ts'
export * from './operations/define-rule.ts'
export { sendNow } from './operations/send-now.ts'
export { swapProduct } from './operations/swap-product.ts'
export { undoAddProduct } from './operations/undo-add-product.ts'
export { readShopData, type ShopRecords } from './seed/read-shop-data.ts'
export type * from './seed/shop-data.ts'
export { seed } from './seed/seed.ts'
export { addDays, addMonths, dateIn, isDate } from '@storeport/core'
export { codeKey, emailKey, isAvailable } from './shop/shop.ts'
export { toMajor, toMinor } from './shop/money.ts'
export * from './shop/read-shop-options.ts'
export type {
  Availability,
  CatalogueProduct,
  DiscountLimits,
  DiscountTerms,
  DiscountWorth,
  IdKind,
  Shop,
} from './shop/shop.ts'
export { isUsableProductId, wireItemId } from './account/items.ts'

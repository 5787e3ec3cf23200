export type { ErrorCode, FailedOutcome, StoreErrorOptions } from './contract/errors.ts'
export { errorRow, errors, isErrorCode, isStoreError, outcomeOf, StoreError, withoutEmails } from './contract/errors.ts'
export { type NameOptions, type Names, namesFor, nearestName } from './contract/names.ts'
export type * from './contract/ledger.ts'
export * from './contract/store-port.ts'
export type * from './contract/click-record.ts'
export * from './contract/endpoint.ts'
export type { AddProductInput } from './contract/add-product.ts'
export type { DelaySubscriptionInput } from './contract/delay-subscription.ts'
export type { GetDiscountInput } from './contract/get-discount.ts'
export type { ListProductsInput } from './contract/list-products.ts'
export type { ReactivateSubscriptionInput } from './contract/reactivate-subscription.ts'
export type { RunCustomActionInput } from './contract/run-custom-action.ts'
export type { SwapProductInput } from './contract/swap-product.ts'
export type { UndoAddProductInput } from './contract/undo-add-product.ts'
export type { Endpoints, InputOf, OutputOf } from './contract/endpoints.ts'
export { endpointNames, endpointRow, endpoints, forEachEndpoint, isEndpointName } from './contract/endpoints.ts'
export * from './contract/widgets.ts'
export * from './contract/calendar.ts'
export { calculatePart, isCurrency, minorUnitDigits, toMinor } from './contract/money.ts'
export {
  CancelledSubscription,
  CancelledSubscriptionList,
  CurrentSubscription,
  CustomerInput,
  Discount,
  isTaxRate,
  Product,
  ProductList,
  SubscriptionItem,
  taxRateMessage,
} from './contract/schemas.ts'
export {
  type Answer,
  type Call,
  Envelope,
  errorAnswer,
  type ErrorAnswerOptions,
  maskPath,
  safeRequestId,
} from './http/call.ts'
export { describeIssues } from './pipeline/describe-value.ts'
export { parseBody, readBody } from './pipeline/read-input.ts'
export type {
  CallOutcome,
  ErrorSummary,
  FetchContext,
  Integration,
  IntegrationOptions,
  KeyGuessLimit,
  Observe,
  PauseMode,
  TraceReference,
} from './pipeline/integration.ts'
export * from './pipeline/create-integration.ts'
export { describeError, type ErrorDescription } from './pipeline/failure.ts'
export type { CallTracer, TraceAttributes, TraceOptions, TraceSpan, TracingApi } from './pipeline/trace-calls.ts'
export { traceCalls } from './pipeline/trace-calls.ts'
export { completeClick } from './retries/protocol.ts'
export type { RetryOptions } from './retries/guard.ts'
export { PendingClick, storesClicks } from './retries/click.ts'
export * from './retries/memory-ledger.ts'

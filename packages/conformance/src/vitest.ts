export {
  behavesLikeStorePort,
  type Mount,
  type RunningShop,
  type TestContext,
  type TestFunctions,
} from './behaves-like-store-port.ts'

export {
  behavesLikeStorePort,
  type Mount,
  type RunningShop,
  type TestContext,
  type TestFunctions,
} from './engine/behaves-like-store-port.ts'

export { createPlayground, type Playground } from './create-playground.ts'
export {
  BesideRefusal,
  type CheckRunOptions,
  type PlaygroundOptions,
  type ShopBeside,
  type Target,
} from './playground-options.ts'
export type {
  CustomAction,
  InsideActionRun,
  InsideCodeUse,
  InsideLine,
  InsideOrder,
  MovedDate,
  ShopInside,
  TimeRequest,
  TimeStep,
} from './protocol.ts'

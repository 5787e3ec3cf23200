export { createPlayground, type Playground } from './create-playground.ts'
export type { CheckRunOptions, PlaygroundOptions, Target } from './playground-options.ts'
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
export { BesideRefusal, type ShopBeside } from './shop-beside.ts'

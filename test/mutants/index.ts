/// <reference types="vite/types/importMeta.d.ts" />
import type { Mutant } from './mutant.ts'

const modules = import.meta.glob<{ readonly mutants?: readonly Mutant[] }>(
  ['./*.ts', './cases/*.ts', './wire/*.ts', '!./index.ts', '!./*.test.ts'],
  { eager: true },
)

/** All mutants by topic. The topic is the operation or subject in the file name. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = Object.fromEntries(
  Object.entries(modules).map(([file, module]) => [topicOf(file), module.mutants ?? []]),
)

function topicOf(file: string): string {
  const name = file.replace(/.*\//, '').replace('.ts', '')
  return name.replaceAll(/-[a-z]/g, (letter) => letter.slice(1).toUpperCase())
}

#!/usr/bin/env node
// Identical in every package with a command. Written in JavaScript that old Node versions can parse.
import { existsSync } from 'node:fs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
const source = new URL('../src/main.ts', import.meta.url)
if (!isSupported) {
  process.stderr.write(`StorePort needs Node 20.19, 22.12 or later: this is ${process.versions.node}\n`)
  process.exitCode = 2
} else if (existsSync(source)) {
  // oxlint-disable-next-line storeport/no-import-out-of-package -- in a clone, which has no build or an old one
  const { runSource } = await import('../../../scripts/run-source.mjs')
  await runSource(source)
} else {
  await import('../dist/main.js')
}

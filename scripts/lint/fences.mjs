import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Rules that oxlint does not provide: no relative import leaves its package, only the click protocol reads stored
 * clicks, and no rule is disabled without a reason.
 *
 * This file is JavaScript, because oxlint loads it without a build, on every version of Node.
 */

/** Cache of the folder that contains the nearest package.json, by source folder. */
const packages = new Map()

function packageOf(folder) {
  const known = packages.get(folder)
  if (known !== undefined) return known
  const parent = dirname(folder)
  const found = existsSync(resolve(folder, 'package.json')) || parent === folder ? folder : packageOf(parent)
  packages.set(folder, found)
  return found
}

const noImportOutOfPackage = {
  create(context) {
    const folder = dirname(context.filename)
    function check(source) {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return
      if (packageOf(dirname(resolve(folder, source.value))) === packageOf(folder)) return
      context.report({ node: source, message: 'A relative import leaves its package: import the package by its name.' })
    }
    return {
      ImportDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
    }
  },
}

/** Fields of a stored click whose names have no other meaning in this repository. */
const clickFields = new Set(['isDoubtful', 'lastAt', 'doneAt', 'windowEnd', 'isReported'])

/** Returns the property name in a member access, a pattern or an `in` expression; `undefined` if computed. */
function nameOf(key, isComputed) {
  if (key.type === 'Identifier' && !isComputed) return key.name
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined
}

const onlyProtocolReadsClicks = {
  create(context) {
    if (context.filename.replaceAll('\\', '/').endsWith('/core/src/retries/protocol.ts')) return {}
    function check(node, name) {
      if (!clickFields.has(name)) return
      const message = `Only core/src/retries/protocol.ts reads a stored click: \`${name}\` is a field of one. Use its functions.`
      context.report({ node, message })
    }
    return {
      MemberExpression: ({ property, computed }) => check(property, nameOf(property, computed)),
      ObjectPattern: ({ properties }) => {
        for (const { type, key, computed } of properties) if (type !== 'RestElement') check(key, nameOf(key, computed))
      },
      BinaryExpression: ({ operator, left }) => {
        if (operator === 'in') check(left, nameOf(left, true))
      },
    }
  },
}

const reasonForDisabling = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (!/^\s*(?:ox|es)lint-disable/.test(comment.value) || / -- \S/.test(comment.value)) continue
          context.report({ loc: comment.loc, message: 'Say why this rule does not hold here: `-- because …`.' })
        }
      },
    }
  },
}

// oxlint-disable-next-line import/no-default-export -- oxlint requires it.
export default {
  meta: { name: 'storeport' },
  rules: {
    'no-import-out-of-package': noImportOutOfPackage,
    'only-protocol-reads-clicks': onlyProtocolReadsClicks,
    'reason-for-disabling': reasonForDisabling,
  },
}

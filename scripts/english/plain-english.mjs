import { fileURLToPath } from 'node:url'
import { fromYAMLFilePath } from 'prh'

/*
 * Lint rules for English, with the same dictionary that textlint uses for pages. This file is JavaScript, because
 * oxlint loads it without a build, on every version of Node.
 */

const engine = fromYAMLFilePath(fileURLToPath(new URL('words.yml', import.meta.url)))

/** Returns the hard words in a text, each with its replacement. Ignores text in backticks. */
function findHardWords(text) {
  const prose = text.replaceAll(/`[^`]*`/g, (code) => '_'.repeat(code.length))
  return engine
    .makeChangeSet('', prose)
    .diffs.map(({ matches, rule }) => ({ word: matches[0].trim(), expected: rule.expected }))
}

const sql =
  /^\s*(?:select|insert|update|delete|create|alter|drop|with|set|begin|pragma|from|where|and|or|on|order by)\s/

/** Whether a string is prose: it has three consecutive words and is not SQL. SQL is lowercase in this repository. */
function isProse(text) {
  return /[A-Za-z][a-z]*[,;:]? [a-z]+[,;:]? [a-z]/.test(text) && !sql.test(text)
}

/** Functions whose first argument names a test. */
const testFunctions = new Set(['it', 'test', 'describe'])

/** Returns the name of the function that `it(…)`, `it.skip(…)` or `describe.each(rows)(…)` calls. */
function calledName(callee) {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return calledName(callee.object)
  if (callee.type === 'CallExpression') return calledName(callee.callee)
  return callee.type === 'TaggedTemplateExpression' ? calledName(callee.tag) : undefined
}

/** Returns the value of a string literal, or the static parts of a template literal. */
function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('…') : ''
}

/** Visits each comment and test name and, in the sources of packages, each string that is prose. */
function visitProse(context, visit) {
  const hasMessages = /\/packages\/[^/]+\/(?:src|page|templates)\//.test(context.filename.replaceAll('\\', '/'))
  const names = new Set()
  function visitString(node) {
    if (hasMessages && !names.has(node) && isProse(textOf(node))) visit('message', node, textOf(node))
  }
  return {
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (/^\s*(?:(?:ox|es)lint-|@ts-|\/ <reference)/.test(comment.value)) continue
        visit('comment', comment, comment.value.replaceAll(/^[\s*]+/gm, ''))
      }
    },
    CallExpression({ callee, arguments: [name] }) {
      if (name === undefined || !testFunctions.has(calledName(callee)) || textOf(name) === '') return
      names.add(name)
      visit('test name', name, textOf(name))
    },
    Literal: visitString,
    TemplateLiteral: visitString,
    JSXText(node) {
      if (hasMessages && isProse(node.value)) visit('message', node, node.value.trim())
    },
  }
}

/** Oxlint rule: comments, test names and messages contain no hard words. */
export const plainEnglish = {
  create: (context) =>
    visitProse(context, (kind, node, text) => {
      for (const { word, expected } of findHardWords(text)) {
        context.report({ loc: node.loc, message: `Hard word in a ${kind}: "${word}". Write: ${expected}` })
      }
    }),
}

/** Oxlint rule that reports every comment, test name and message, for `npm run english -- --sample`. */
export const listProse = {
  create: (context) =>
    visitProse(context, (kind, node, text) => context.report({ loc: node.loc, message: `${kind}: ${text}` })),
}

import { readFileSync, writeFileSync } from 'node:fs'
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  NeverType,
  SchemaGenerator,
  StringType,
  type SubNodeParser,
} from 'ts-json-schema-generator'
import ts from 'typescript'

/**
 * Generates `testing/src/stripe/schemas.json` from the types of the `stripe` package. The Stripe stand-in validates all
 * requests and responses with these schemas. With `--check`, fails if the file is out of date.
 */

/**
 * Resources that the stand-in returns. The schemas replace all other resources with their ids, because the schema of a
 * subscription would otherwise include most of the Stripe API.
 */
const answered = new Set([
  'Coupon',
  'Customer',
  'DeletedCoupon',
  'DeletedInvoiceItem',
  'DeletedTestClock',
  'Discount',
  'Invoice',
  'InvoiceItem',
  'InvoiceLineItem',
  'PaymentMethod',
  'Plan',
  'Price',
  'Product',
  'PromotionCode',
  'Subscription',
  'SubscriptionItem',
  'TaxRate',
  'TestClock',
])

const path = 'testing/src/stripe/stripe-requests.ts'
const target = 'testing/src/stripe/schemas.json'
const config = {
  ...DEFAULT_CONFIG,
  path,
  type: 'StripeRequests',
  tsconfig: 'tsconfig.json',
  expose: 'all' as const,
  jsDoc: 'none' as const,
  skipTypeCheck: true,
  encodeRefs: false,
}

const current = writeSchemas()
if (!process.argv.includes('--check')) writeFileSync(target, current)
else if (readFileSync(target, 'utf8') !== current) {
  console.error(`${target} does not match the types of stripe. Run npm run stripe:schemas.`)
  process.exitCode = 1
}

/** Returns the schemas with one definition per line, so that a diff shows what a new package version changed. */
function writeSchemas(): string {
  const program = createProgram(config)
  const parser = createParser(program, config, (chain) => {
    chain.addNodeParser(parseAs(isOtherResource, () => new StringType()))
    // The stand-in rejects values that the types do not list, because they are probably misspelled.
    chain.addNodeParser(parseAs(isNamed('OtherString'), () => new NeverType()))
    chain.addNodeParser(parseAs(isNamed('DecimalImpl', 'Decimal'), () => new StringType()))
  })
  const { definitions } = new SchemaGenerator(program, parser, createFormatter(config), config).createSchema(
    config.type,
  )
  const texts = new Map(Object.entries(definitions ?? {}).map(([name, schema]) => [name, JSON.stringify(schema)]))
  inlineEmptyables(texts)
  mergeEqual(texts)
  const lines = [...texts].map(
    ([name, schema]) => `${JSON.stringify(shorten(name))}:${renameReferences(schema, shorten)}`,
  )
  return `{"definitions":{\n${lines.toSorted().join(',\n')}\n}}\n`
}

/** Inlines `Emptyable<Item[]>`, because the generated name contains a file position that differs between machines. */
function inlineEmptyables(texts: Map<string, string>): void {
  for (const [name, text] of texts) {
    texts.set(
      name,
      text.replaceAll(
        /\{"\$ref":"#\/definitions\/(Emptyable<[^"]+)"\}/g,
        (_, emptyable: string) => texts.get(emptyable) ?? '',
      ),
    )
  }
  for (const name of texts.keys()) if (name.startsWith('Emptyable<')) texts.delete(name)
}

/** Merges equal definitions. The package repeats types for creating, updating and previewing a subscription. */
function mergeEqual(texts: Map<string, string>): void {
  const names = new Map<string, string>()
  const merged = new Map<string, string>()
  for (const [name, text] of texts) {
    const first = names.get(text)
    if (first === undefined) names.set(text, name)
    else {
      merged.set(name, first)
      texts.delete(name)
    }
  }
  if (merged.size === 0) return
  for (const [name, text] of texts)
    texts.set(
      name,
      renameReferences(text, (other) => merged.get(other) ?? other),
    )
  mergeEqual(texts)
}

function renameReferences(text: string, rename: (name: string) => string): string {
  return text.replaceAll(/"#\/definitions\/([^"]+)"/g, (_, name: string) => `"#/definitions/${rename(name)}"`)
}

function shorten(name: string): string {
  return name.replace(/^Api(List|SearchResult)<(.+)>$/, '$1Of$2')
}

function parseAs(supportsNode: SubNodeParser['supportsNode'], createType: SubNodeParser['createType']): SubNodeParser {
  return { supportsNode, createType }
}

function isNamed(...names: readonly string[]) {
  return (node: ts.Node) =>
    (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) &&
    names.includes(node.name?.text ?? '')
}

/** Whether a node is a Stripe resource that the stand-in does not return. Every resource has a field `object`. */
function isOtherResource(node: ts.Node): boolean {
  return (
    ts.isInterfaceDeclaration(node) &&
    node.getSourceFile().fileName.includes('/stripe/esm/resources/') &&
    node.members.some((member) => member.name?.getText() === 'object') &&
    !(node.parent.kind === ts.SyntaxKind.SourceFile && answered.has(node.name.text))
  )
}

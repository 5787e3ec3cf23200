import { split, SentenceSplitterSyntax } from 'sentence-splitter'
import { StringSource } from 'textlint-util-to-string'

const mostWords = 30
const mostWordsOnAverage = 18

/** Textlint rule: no sentence has more than 30 words, and the sentences of a page have at most 18 on average. */
// oxlint-disable-next-line import/no-default-export -- textlint requires it.
export default function sentenceWords({ Syntax, RuleError, report }) {
  let words = 0
  let sentences = 0
  return {
    [Syntax.Paragraph](node) {
      // A code span counts as one word.
      const text = new StringSource(node, {
        replacer: ({ node: child, maskValue }) => (child.type === Syntax.Code ? maskValue('c') : undefined),
      }).toString()
      for (const sentence of split(text).filter(({ type }) => type === SentenceSplitterSyntax.Sentence)) {
        const count = sentence.raw.split(/\s+/).filter((word) => /\w/.test(word)).length
        if (count === 0) continue
        words += count
        sentences += 1
        if (count > mostWords)
          report(
            node,
            new RuleError(`A sentence of ${count} words (at most ${mostWords}): ${sentence.raw.slice(0, 60)}…`),
          )
      }
    },
    [`${Syntax.Document}:exit`](node) {
      if (words > mostWordsOnAverage * sentences) {
        report(
          node,
          new RuleError(
            `Sentences of ${(words / sentences).toFixed(1)} words on average (at most ${mostWordsOnAverage}).`,
          ),
        )
      }
    },
  }
}

#!/usr/bin/env bash
# Runs the kit in a GitHub job. Writes the reports to $REPORTS, and the first screen to the summary of the job.
set -uo pipefail

if [ -z "${STOREPORT_KIT:-}" ]; then
  version=$(node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/package.json")
  STOREPORT_KIT="npx --yes @storeport/conformance@$version"
fi
read -ra kit <<<"$STOREPORT_KIT"
mapfile -t arguments < <(grep -v '^[[:space:]]*$' <<<"${ARGUMENTS:-}" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//')

mkdir -p "$REPORTS"
NO_COLOR=1 "${kit[@]}" "${arguments[@]}" --json "$REPORTS/report.json" --junit "$REPORTS/report.xml" \
  2>"$REPORTS/errors.txt" | tee "$REPORTS/first-screen.txt"
code=${PIPESTATUS[0]}
cat "$REPORTS/errors.txt" >&2
# A run that does not start has no first screen, only a message.
[ -s "$REPORTS/first-screen.txt" ] || cp "$REPORTS/errors.txt" "$REPORTS/first-screen.txt"

verdict='NOT CHECKED'
[ -s "$REPORTS/report.json" ] && verdict=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).verdict ?? ""' "$REPORTS/report.json")
echo "verdict=$verdict" >>"$GITHUB_OUTPUT"
{
  echo '<!-- storeport-conformance -->'
  echo "### StorePort conformance: ${verdict:-selected checks}"
  echo '``````text'
  # The maximum length of a comment is 65,536 characters.
  head -c 60000 "$REPORTS/first-screen.txt" | iconv -c -f utf-8 -t utf-8
  echo
  echo '``````'
} >"$REPORTS/comment.md"
cat "$REPORTS/comment.md" >>"$GITHUB_STEP_SUMMARY"
exit "$code"

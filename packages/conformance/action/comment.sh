#!/usr/bin/env bash
# Writes the first screen as a comment on the pull request. A later run replaces the comment.
set -euo pipefail

comments="repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments"
earlier=$(gh api --paginate "$comments" --jq '.[] | select(.body | startswith("<!-- storeport-conformance -->")) | .id')
earlier=${earlier%%$'\n'*}
if [ -n "$earlier" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" -F "body=@$REPORTS/comment.md" >/dev/null
else
  gh api --method POST "$comments" -F "body=@$REPORTS/comment.md" >/dev/null
fi

import { locateDocument } from "../../core/notes/document.ts";
import { parseTaskNumber } from "../../core/notes/names.ts";
import { projectNames } from "../../core/storage/list.ts";
import { matchName } from "../../core/workspace/find/entries.ts";
import { listTaskFiles } from "../../core/workspace/find/task-files.ts";
import { optionsOf, tokensFor } from "../args.ts";
import type { CommandContext, CommandOption, Values } from "../command.ts";
import { currentProject } from "../resolve-project.ts";
import { oneLine } from "../terminal.ts";

/**
 * Each script calls `vibe-mcp __complete --word=<the word being typed> -- <the words before it>`, which prints a line per
 * candidate: value, tab, meaning. Without candidates the shell completes files.
 */
const SCRIPTS = {
  bash: String.raw`# Completion of vibe-mcp for bash. Put this line into ~/.bashrc:
#   source <(vibe-mcp completion bash)
_vibe_mcp() {
  local word=$2 line IFS=$'\n'
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  while read -r line; do
    COMPREPLY+=("$(printf '%q' "\${line%%$'\t'*}")")
  done < <(vibe-mcp __complete "--word=$word" -- "\${before[@]}" 2>/dev/null)
}
complete -o default -F _vibe_mcp vibe-mcp
`,
  zsh: String.raw`#compdef vibe-mcp
# Completion of vibe-mcp for zsh. Put these lines into ~/.zshrc, in this order:
#   autoload -Uz compinit && compinit
#   source <(vibe-mcp completion zsh)
_vibe_mcp() {
  local line
  local -a found
  for line in "\${(@f)$(vibe-mcp __complete "--word=$words[CURRENT]" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    found+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}")
  done
  if (( $#found )); then _describe -V vibe-mcp found; else _files; fi
}
if [[ $funcstack[1] == _vibe_mcp ]]; then _vibe_mcp "$@"; else compdef _vibe_mcp vibe-mcp; fi
`,
  fish: String.raw`# Completion of vibe-mcp for fish. Write it to the folder of completions:
#   vibe-mcp completion fish > ~/.config/fish/completions/vibe-mcp.fish
function __vibe_mcp
    set -l word (commandline -ct)
    set -l before (commandline -opc)
    set -l found (vibe-mcp __complete "--word=$word" -- $before[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c vibe-mcp -f -a '(__vibe_mcp)'
`,
  powershell: String.raw`# Completion of vibe-mcp for PowerShell. Put this line into the file that $PROFILE names:
#   vibe-mcp completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName vibe-mcp -ScriptBlock {
    param($word, $ast, $cursor)
    $before = @($ast.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString().Trim('"', "'") })
    vibe-mcp __complete "--word=$word" -- @before 2>$null | ForEach-Object {
        $value, $help = $_ -split "\t", 2
        $text = if ($value -match '\s') { "'" + $value.Replace("'", "''") + "'" } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $(if ($help) { $help } else { $value }))
    }
}
`,
} as const;

/** Each script begins with where to put it. */
export function completionScript(shell: string): string {
  const raw = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1] ?? "";
  return raw.replaceAll("\\${", "${");
}

export function run({ terminal, words }: CommandContext): number {
  terminal.stdout.write(completionScript(words[0] ?? ""));
  return 0;
}

/** A value with its meaning. */
type Candidate = readonly [value: string, help: string];

/** Prints the candidates for the word being typed, from the same table as `--help`. */
export function complete(context: CommandContext): number {
  const typed = context.options.text("word") ?? "";
  const matching = candidates(context, typed).filter(([value]) =>
    value.toLowerCase().startsWith(typed.toLowerCase()),
  );
  context.terminal.stdout.write(matching.map(([value, help]) => `${value}\t${oneLine(help)}\n`).join(""));
  return 0;
}

function candidates(context: CommandContext, typed: string): Candidate[] {
  const before = context.words.filter((word) => word !== "=");
  const commands = context.commands.filter(({ hidden }) => !hidden);
  const { tokens, words, command } = tokensFor(before, commands);
  const options = optionsOf(command);
  const project = tokens.findLast(({ flag }) => flag === "project")?.value;
  const valuesOf = (row: { values?: Values } | undefined) => lookUp(context, row?.values, project);
  const [, previous] = /^--(.+)/.exec(before.at(-1) ?? "") ?? [];
  const incomplete = options.find(({ flag, value }) => value !== undefined && flag === previous);
  if (incomplete !== undefined) return valuesOf(incomplete);
  const [, assigned] = /^--([^=]+)=/u.exec(typed) ?? [];
  if (assigned !== undefined) {
    const values = valuesOf(options.find(({ flag }) => flag === assigned));
    return values.map(([value, help]) => [`--${assigned}=${value}`, help]);
  }
  if (typed.startsWith("-")) return flagsLeft(options, new Set(tokens.map(({ flag }) => flag)));
  if (command !== undefined)
    return valuesOf(command.words[words.length - 1] ?? command.words.find(({ many }) => many));
  return words.length > 0 ? [] : commands.map(({ name, summary }) => [name, summary]);
}

function flagsLeft(options: readonly CommandOption[], used: ReadonlySet<string>): Candidate[] {
  const left = options.filter(({ flag, many }) => many || !used.has(flag));
  return [...left, { flag: "help", help: "Show all options." }].map(({ flag, help }) => [`--${flag}`, help]);
}

/** None for files, which the shell completes itself, and for steps. */
function lookUp(
  context: CommandContext,
  values: Values | undefined,
  named: string | boolean | undefined,
): Candidate[] {
  const { root } = context.config;
  if (values === undefined || values === "file") return [];
  if (typeof values !== "string") return values.map((value) => [value, ""]);
  if (values === "project") return projectNames(root).map((name) => [name, "project"]);
  const project =
    typeof named === "string" ? matchName(projectNames(root), named) : currentProject(context).project;
  if (project === undefined) return [];
  return listTaskFiles(root, project, ["tasks"]).map((path) => {
    const file = locateDocument(path)?.filename ?? path;
    return [parseTaskNumber(file) ?? file, file];
  });
}

import type { CommandContext } from "../command.ts";

/**
 * All four ask the program itself (`vibe-mcp complete --word=<what is being typed> -- <words before it>`), which answers
 * lines of a value, a tab and what it means; without an answer the shell completes files.
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
  done < <(vibe-mcp complete "--word=$word" -- "\${before[@]}" 2>/dev/null)
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
  for line in "\${(@f)$(vibe-mcp complete "--word=$words[CURRENT]" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}"; do
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
    set -l found (vibe-mcp complete "--word=$word" -- $before[2..-1] 2>/dev/null)
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
    vibe-mcp complete "--word=$word" -- @before 2>$null | ForEach-Object {
        $value, $help = $_ -split "\t", 2
        $text = if ($value -match '\s') { "'" + $value.Replace("'", "''") + "'" } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $(if ($help) { $help } else { $value }))
    }
}
`,
} as const;

/** The script for a shell; each begins with where it goes. */
export function script(shell: string): string {
  const raw = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1] ?? "";
  return raw.replaceAll("\\${", "${");
}

export function run({ terminal, words }: CommandContext): number {
  terminal.stdout.write(script(words[0] ?? ""));
  return 0;
}

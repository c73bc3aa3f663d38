/** The text of `parley-mcp --help`. */
export const USAGE = `parley-mcp: tools written once, for any MCP client

  parley-mcp                                               started by an MCP client: serve four tools that ask you:
                             ask_user, review_plan, approve, show
  parley-mcp serve [--stdio | --http] [options] MODULE…    serve the tools, prompts and resources of modules
      --http                 use Streamable HTTP instead of stdio
      --host 127.0.0.1       address to listen on
      --port 0               port to listen on; 0 lets the system choose one
      --token-file FILE      read the bearer token from FILE; created if missing
      --no-token             allow every program on this machine to call
      --oauth-issuer URL     accept tokens of this authorization server that are issued for
      --oauth-resource URL   the address of this server as clients know it, such as https://tools.example.com/mcp
      --oauth-scope NAME     scope that every token needs; can be repeated
      --oauth-tool-scope TOOL=NAME
                             additional scope that a call of TOOL needs; can be repeated
      --oauth-token-type at+jwt
                             type (typ) of its access tokens; JWT for a server that does not mark them
      --servers FILE         also serve the tools, prompts and resources of the servers in an mcp.json; with --http, each
                             caller has separate connections and logins; cannot be used with --no-token
      --policy FILE          rules: which calls of those servers' tools, of code, and of tools that they name run, and
                             whose questions only a person may answer
      --code                 offer three tools instead of all: search_tools, describe_tool, and execute_code, which runs
                             code that calls the others
      --search-above N       with more than N tools, offer five tools instead, to search, read and run them:
                             search_tools, list_namespaces, describe_tool, run_tool, run_chain; with --code, execute_code too
      --page-size 200        number of items on one page of a list
      --list-changed 150     milliseconds without changes before clients are notified of a changed list; off for never
      --isolation worker     run each tool file in its own thread, the default with --http;
                             host, the default with --stdio: run all in the thread of the server
      --allow-host NAME      accept requests whose Host is NAME too, such as the name of a proxy; can be repeated
      --allow-origin ORIGIN  accept calls from pages of ORIGIN too, such as https://example.com; can be repeated
      --max-body 1M          maximum size of a request body, in bytes, or with K or M
      --drain 5              seconds after SIGTERM for running calls to reach their next question; new requests are refused
                             with 503, and waiting calls stay in the store. 5 with a folder or PostgreSQL, otherwise 0
      --limit NAME=NUMBER    limit for all callers together (calls, waiting, memory) or for each of them (share-calls, …);
                             can be repeated: docs/running-a-server.md, "Limits"
      --page-wait 3          seconds for a client that shows pages to show the page of a call, before the user is
                             asked in another way
      --log-format text      format of stderr: text, the default, or json: one object per line with time, level and message
      --state memory         where calls of 2026-07-28 clients wait for answers: memory, the default;
                             carried: with the client, encrypted; a folder, which survives a restart; or
                             postgres://USER@HOST/DATABASE, which servers share; its password is in PARLEY_STATE_PASSWORD
      --state-key-file FILE  encryption keys for those calls, one per line, the current one first; created if missing
      --inbox FOLDER         with --stdio: list questions to you there instead of in your own folder, for windows of VS Code
                             to show; none turns that off, as CI does
      --model URL            model of the server for clients that have none: an OpenAI-compatible address, such as
                             https://api.openai.com/v1; its key is in PARLEY_MODEL_KEY; cannot be used with --no-token
      --model-name NAME      name of the model
      --model-calls 100      maximum number of samplings per caller and hour
      --model-tokens 200000  maximum number of tokens per caller and hour
                             The environment can set these too: PARLEY_HOST, _PORT, _TOKEN_FILE, _ALLOW_HOST, _ALLOW_ORIGIN,
                             _MAX_BODY, _DRAIN, _PAGE_WAIT, _PAGE_SIZE, _LIST_CHANGED, _SEARCH_ABOVE, _POLICY, _LIMIT,
                             _LOG_FORMAT, _ISOLATION, _STATE, _STATE_KEY_FILE, _INBOX, _OAUTH_ISSUER, _OAUTH_RESOURCE,
                             _OAUTH_SCOPE, _OAUTH_TOOL_SCOPE; and PARLEY_STATE_PASSWORD
      --json                 print one line of JSON when ready: {"url":…,"token":…}
  parley-mcp dev [--port 0] MODULE…                        serve modules to this machine while you write them: they are
                             loaded again when a file changes, and calls are logged
  parley-mcp new NAME [FOLDER]                             create a tool and its test in FOLDER/.parley
      --template question    plain, question (the default), view, sampling or branches
  parley-mcp pack MODULE…                                  create one file that node runs, with all dependencies
      --out FILE --name NAME --pack-version 1.0.0
      --force                write over what is there
      --mcpb --author NAME --description TEXT
                             create an .mcpb bundle instead, which clients install by opening it
      --plugin               create the folder of an Agent Plugin instead: the server, and a skill that tells when to ask
  parley-mcp setup AGENT [MODULE…]                         start the server once, then add it to the configuration of AGENT:
                             vscode, claude, copilot or codex; for opencode, kilo, gemini, qwen, cline, cursor and
                             windsurf, print the entry
      --print --remove       only print the entry; remove it
      --name parley          name of the server there
  parley-mcp doctor [--http …]                             serve one tool that examines the client that calls it
  parley-mcp doctor --server COMMAND [-- ARG…]             examine a server: its protocol, features, content and speed;
  parley-mcp doctor --server URL                           prints a report to paste. Calls no tool
  parley-mcp check MODULE…                                 report errors in the definitions in modules
      --state WHERE          also list tools whose calls cannot continue in another process with this --state of serve
      --types                check types as well, with the TypeScript of the project
  parley-mcp manifest MODULE…                              print tools, prompts and resources with their schemas
  parley-mcp --version | [COMMAND] --help

MODULE is a TypeScript or JavaScript file, or a folder: then all tools in its .parley/tools.
parley-mcp, effection and zod need not be installed.`;

/** What the help says of one command. */
export function usageOf(command: string): string {
  const [title = '', commands = '', last = ''] = USAGE.split('\n\n');
  const own = commands
    .split(/\n(?= {2}parley-mcp)/)
    .filter((lines) => lines.trimStart().startsWith(`parley-mcp ${command} `));
  return [title, ...own, last.split('\n')[0]].join('\n\n');
}

/** What a server says at a terminal: its client is a program. */
export const servedAtTerminal =
  'waiting for an MCP client on stdin, and this is a terminal: press Ctrl+C, then try the tools with `npx parley-mcp dev …`, or add the server to a client with `npx parley-mcp setup …`';

/** What `parley-mcp` says at a terminal: it is for a client to start. */
export const hint = (
  home: string,
) => `parley-mcp is an MCP server with four tools, with which an agent asks you and shows you things:
ask_user, review_plan, approve, show. An agent starts it; nothing is served from this terminal.

  Claude Code, Codex, Copilot CLI, VS Code         npx -y parley-mcp setup claude (codex, copilot, vscode)
  other clients    { "mcpServers": { "parley": { "command": "npx", "args": ["-y", "--prefix", ${JSON.stringify(home)}, "parley-mcp"] } } }

Your own tools: npx parley-mcp new NAME, then npx parley-mcp serve . All commands: npx parley-mcp --help`;

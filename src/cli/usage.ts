/** The text of `parley-mcp --help`. */
export const USAGE = `parley-mcp: tools written once, for any MCP client

  parley-mcp serve [--stdio | --http] [options] MODULE…    serve the tools, prompts and resources of modules
      --http                 Streamable HTTP instead of stdio
      --host 127.0.0.1       address to listen on
      --port 0               port to listen on; 0 for one the system chooses
      --token-file FILE      read the bearer token from FILE, which is made when it is not there
      --no-token             let everybody on this machine in
      --oauth-issuer URL     let in who has a token of this authorization server, made out for
      --oauth-resource URL   this server as its clients know it, such as https://tools.example.com/mcp
      --oauth-scope NAME     which every token needs; may be repeated
      --oauth-tool-scope TOOL=NAME
                             which a call of TOOL needs, too; may be repeated
      --servers FILE         also serve what the servers of an mcp.json offer; with --http each who calls has them for
                             themselves, with logins of their own; not with --no-token
      --policy FILE          rules for calls of those servers' tools, and of code: what is denied is never run
      --code                 three tools in place of all: search_tools, describe_tool, and execute_code, which runs
                             code that calls the others
      --search-above N       where there are more than N tools, five in place of all, to search, read and run them with:
                             search_tools, list_namespaces, describe_tool, run_tool, run_chain; with --code beside execute_code
      --page-size 200        items on one page of a list
      --list-changed 150     milliseconds of quiet before clients are told that a list has changed; off for never
      --isolation worker     each tool file in a thread of its own, the default with --http;
                             host, the default with --stdio: all in the server's thread
      --allow-host NAME      also serve requests whose Host is NAME, such as the name of a proxy; may be repeated
      --allow-origin ORIGIN  also let pages of ORIGIN call, such as https://example.com; may be repeated
      --max-body 1M          longest request body, in bytes, or with K or M
      --drain 5              after SIGTERM, seconds for what runs to come to its next question; new requests are refused with
                             503, and calls that wait stay in the store. 5 with a folder or PostgreSQL, else 0
      --limit NAME=NUMBER    how much callers may take up, together (calls, waiting, memory) and each of them (share-calls, …);
                             may be repeated: docs/running-a-server.md, "Limits"
      --page-wait 3          seconds that a client which shows pages has to show the page of a call, before the person is
                             asked in another way
      --log-format text      what is said on stderr: text, the default, or json: each line one object with time, level and message
      --state memory         where calls of 2026-07-28 clients wait for answers: memory, the default;
                             carried: in the client's hands, sealed; a folder, which outlives the server; or
                             postgres://USER@HOST/DATABASE, which servers share, with its password in PARLEY_STATE_PASSWORD
      --state-key-file FILE  keys that seal them, one a line, the first in use; made when it is not there
      --model URL            a model of the server's own, for clients that have none: an OpenAI-compatible address, such as
                             https://api.openai.com/v1; its key in PARLEY_MODEL_KEY; not with --no-token
      --model-name NAME      which of its models
      --model-calls 100      samplings that one caller may ask for in an hour
      --model-tokens 200000  tokens that they may cost
                             these can also stand in the environment: PARLEY_HOST, _PORT, _TOKEN_FILE, _ALLOW_HOST, _ALLOW_ORIGIN,
                             _MAX_BODY, _DRAIN, _PAGE_WAIT, _PAGE_SIZE, _LIST_CHANGED, _SEARCH_ABOVE, _POLICY, _LIMIT, _LOG_FORMAT, _ISOLATION, _STATE, _STATE_KEY_FILE, _OAUTH_ISSUER,
                             _OAUTH_RESOURCE, _OAUTH_SCOPE, _OAUTH_TOOL_SCOPE; and PARLEY_STATE_PASSWORD
      --json                 print one line of JSON when ready: {"url":…,"token":…}
  parley-mcp new NAME [FOLDER]                             make a tool and its test in FOLDER/.parley
      --template question    plain, question (the default), view, sampling or branches
  parley-mcp pack MODULE…                                  one file that node runs, with all it needs
      --out FILE --name NAME --pack-version 1.0.0
      --mcpb --author NAME --description TEXT
                             an .mcpb bundle instead, which clients install by opening it
  parley-mcp doctor [--http …]                             a server with one tool, which examines the client that calls it
  parley-mcp doctor --server COMMAND [-- ARG…]             examine a server: what it speaks, offers and gives, and how fast;
  parley-mcp doctor --server URL                           a report to paste. It calls no tool
  parley-mcp check MODULE…                                 say what is wrong with the definitions in modules
      --state WHERE          and which tools' calls could not go on elsewhere, with this --state of serve
  parley-mcp manifest MODULE…                              print tools, prompts and resources with their schemas
  parley-mcp --version | --help

MODULE is a TypeScript or JavaScript file, or a folder: then all tools in its .parley/tools. parley-mcp, effection and zod need not be installed.`;

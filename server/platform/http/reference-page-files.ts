/** Page, script and style of the API reference beside the files of Swagger UI. They are separate, because the page may not run inline scripts. */

/** Addresses are relative, so that the page works behind a proxy that serves it below a path. */
export const referencePage = (openapiPath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – Patch Repository</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reference/swagger-ui.css">
<link rel="stylesheet" href="reference/reference.css">
</head>
<body>
<main id="reference" data-document="${openapiPath}"></main>
<noscript>The reference needs scripts. The document itself is at <a href="${openapiPath}">${openapiPath}</a>.</noscript>
<script src="reference/swagger-ui-bundle.js"></script>
<script src="reference/reference.js"></script>
</body>
</html>
`;

export const referenceScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const element = document.getElementById('reference');
SwaggerUIBundle({
  domNode: element,
  url: element.dataset.document,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  validatorUrl: null,
  // Accept a pasted token without the prefix.
  requestInterceptor: (request) => {
    const token = request.headers.Authorization;
    if (token && !/^apikey /i.test(token)) request.headers.Authorization = 'Apikey ' + token;
    return request;
  },
});
`;

export const referenceStyle = `body { margin: 0; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .info p, .swagger-ui .markdown p, .swagger-ui .renderedMarkdown p, .swagger-ui table { font-family: 'Inter Variable', Inter, system-ui, sans-serif; }
.swagger-ui .wrapper { max-width: 1120px; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info .title { font-size: 24px; font-weight: 600; }
.swagger-ui .info .title small { border-radius: 6px; background: #595959; }
.swagger-ui .info .title small.version-stamp { background: #0958d9; }
.swagger-ui .scheme-container { box-shadow: none; padding: 8px 0; background: none; }
.swagger-ui .opblock-tag { font-size: 16px; font-weight: 600; padding: 8px 4px; }
.swagger-ui .opblock { box-shadow: none; border-radius: 6px; margin: 0 0 8px; }
.swagger-ui .markdown table, .swagger-ui .renderedMarkdown table { display: block; overflow-x: auto; }
.swagger-ui .markdown td, .swagger-ui .renderedMarkdown td { color: inherit; padding: 4px 12px 4px 0; }
.swagger-ui td code { white-space: nowrap; }
.dark-mode .swagger-ui .opblock-description-wrapper { color: #e4e6e6; }
`;

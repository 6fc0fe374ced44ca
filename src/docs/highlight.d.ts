// The used types of highlight.js. Its own types include those of browsers, which differ from the Worker's. tsconfig.json
// names this file for the library and its languages.
declare const library: {
  registerLanguage: (name: string, language: object) => void;
  highlight: (code: string, options: { language: string }) => { value: string };
};
export default library;

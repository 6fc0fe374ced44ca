// Changes to TypeScript: conditions, bounds, arithmetic, returned constants, dropped calls and elements.
import ts from "typescript";
import type { Edit } from "./mutant.ts";
import { looksLikeSql, sqlEdits } from "./sql.ts";

const OPERATORS = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.SlashToken, "*"],
  [ts.SyntaxKind.PercentToken, "*"],
  [ts.SyntaxKind.PlusEqualsToken, "-="],
  [ts.SyntaxKind.MinusEqualsToken, "+="],
]);

/** `a && b`, `a || b` and `a ?? b` become one of their sides. */
const LOGICAL = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const OTHER_METHOD = new Map([
  ["some", "every"],
  ["every", "some"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["floor", "ceil"],
  ["ceil", "floor"],
  ["round", "floor"],
  ["min", "max"],
  ["max", "min"],
]);

/** Calls that a chain of methods also works without. */
const DROPPED_METHODS = new Set(
  "trim trimEnd toLowerCase toUpperCase normalize sort toSorted reverse toReversed filter slice padStart where orderBy check onConflictDoNothing".split(
    " ",
  ),
);

/** Functions of which each argument is a condition of its own. */
const CONJUNCTIONS = new Set(["and", "or", "check"]);

/** Numbers up to this are limits, lengths and indices: they are moved both ways. */
const SMALL_NUMBER = 10_000;

export function typescriptEdits(file: string, text: string): Edit[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  visit(source);
  return edits;

  function replace(node: ts.Node, replacement: string): void {
    edits.push({ start: node.getStart(source), end: node.getEnd(), replacement });
  }
  function textOf(node: ts.Node): string {
    return node.getText(source);
  }

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isJsxAttribute(node) && !isExpression(node.initializer)) return;
    if (isOnlyInDocument(node)) return;
    change(node);
    ts.forEachChild(node, visit);
  }

  function change(node: ts.Node): void {
    if (ts.isBinaryExpression(node)) changeBinary(node);
    else if (ts.isIfStatement(node)) changeCondition(node.expression);
    else if (ts.isWhileStatement(node)) replace(node.expression, "false");
    else if (ts.isConditionalExpression(node)) changeCondition(node.condition);
    else if (ts.isPrefixUnaryExpression(node)) changeUnary(node);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, "true");
    else if (ts.isNumericLiteral(node)) changeNumber(node);
    else if (ts.isRegularExpressionLiteral(node)) changeRegex(node);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) changeText(node);
    else if (ts.isExpressionStatement(node)) changeStatement(node);
    else if (ts.isCallExpression(node)) changeCall(node);
    else if (ts.isArrayLiteralExpression(node)) dropEach(node.elements);
    else if (ts.isSpreadAssignment(node)) dropListed(node);
  }

  function changeBinary(node: ts.BinaryExpression): void {
    const { left, operatorToken, right } = node;
    if (isConstantProduct(node)) return;
    if (LOGICAL.has(operatorToken.kind)) {
      replace(node, textOf(left));
      replace(node, textOf(right));
      return;
    }
    if (operatorToken.kind === ts.SyntaxKind.PlusToken) {
      if (!isText(left) && !isText(right)) replace(operatorToken, "-");
      return;
    }
    const other = OPERATORS.get(operatorToken.kind);
    if (other && !(other.endsWith("==") && isCondition(node))) replace(operatorToken, other);
  }

  function changeCondition(condition: ts.Expression): void {
    replace(condition, "true");
    replace(condition, "false");
  }

  function changeUnary(node: ts.PrefixUnaryExpression): void {
    if (node.operator === ts.SyntaxKind.ExclamationToken && !isCondition(node)) {
      replace(node, textOf(node.operand));
    }
  }

  function changeNumber(node: ts.NumericLiteral): void {
    // Sizes such as 8 * 1024 * 1024 are round numbers that might as well be others.
    if (isConstantProduct(node.parent)) return;
    const value = Number(node.text);
    replace(node, String(value + 1));
    if (value > 0 && value <= SMALL_NUMBER) replace(node, String(value - 1));
  }

  function changeRegex(node: ts.RegularExpressionLiteral): void {
    const end = node.text.lastIndexOf("/");
    const [pattern, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
    const use = (other: string, flagged = flags) => {
      replace(node, `/${other || "(?:)"}/${flagged}`);
    };
    if (pattern.startsWith("^")) use(pattern.slice(1));
    if (pattern.endsWith("$") && !pattern.endsWith("\\$")) use(pattern.slice(0, -1));
    if (flags.includes("i")) use(pattern, flags.replace("i", ""));
    for (const { 0: quantifier, 1: bound, index } of pattern.matchAll(/\{\d*,?(\d+)\}/g)) {
      const moved = quantifier.replace(/\d+\}$/, `${String(Number(bound) + 1)}}`);
      use(pattern.slice(0, index) + moved + pattern.slice(index + quantifier.length));
    }
  }

  function changeText(node: ts.StringLiteralLike | ts.TemplateExpression): void {
    if (isName(node) || isParameter(node) || isCompared(node)) return;
    const start = node.getStart(source);
    const inner = textOf(node).slice(1, -1);
    if (ts.isTaggedTemplateExpression(node.parent) || looksLikeSql(inner)) {
      for (const edit of sqlEdits(inner)) {
        edits.push({ ...edit, start: edit.start + start + 1, end: edit.end + start + 1 });
      }
    } else {
      replace(node, inner === "" ? '"?"' : '""');
      if (ts.isTemplateExpression(node)) dropSeparators(node);
    }
  }

  /** What stands between two values so that they do not run into one. */
  function dropSeparators({ templateSpans }: ts.TemplateExpression): void {
    for (const { literal } of templateSpans) {
      if (!ts.isTemplateMiddle(literal) || /[a-z]/i.test(literal.text)) continue;
      const [start, end] = [literal.getStart(source) + 1, literal.getEnd() - 2];
      if (end > start) edits.push({ start, end, replacement: "" });
    }
  }

  /** Response schemas and lists of error codes are not part of the Worker. `npm run check:docs` finds each change. */
  function isOnlyInDocument(node: ts.Node): boolean {
    if (!file.endsWith("/contract.ts")) return false;
    if (ts.isVariableDeclaration(node)) {
      const initializer = node.initializer?.getFullText(source) ?? "";
      return initializer.trimStart().startsWith("/* @__PURE__ */");
    }
    return ts.isPropertyAssignment(node) && node.name.getText(source) === "errors";
  }

  /** Names of properties and modules: a change of them is a syntax error or a change of types. */
  function isName(node: ts.Node): boolean {
    const { parent } = node;
    return (
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) ||
      (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) ||
      ts.isJsxAttribute(parent)
    );
  }

  /** The name of a parameter of a statement: another one is an error of types. */
  function isParameter({ parent }: ts.Node): boolean {
    return ts.isTemplateSpan(parent) && ts.isTaggedTemplateExpression(parent.parent.parent);
  }

  /** A changed text that is compared makes the comparison false: there are mutants for that. */
  function isCompared({ parent }: ts.Node): boolean {
    return ts.isBinaryExpression(parent) && OPERATORS.has(parent.operatorToken.kind);
  }

  function changeStatement({ expression }: ts.ExpressionStatement): void {
    const awaited = ts.isAwaitExpression(expression) ? expression.expression : expression;
    if (ts.isCallExpression(awaited)) replace(expression, "undefined");
    if (
      ts.isBinaryExpression(awaited) &&
      awaited.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ) {
      replace(expression, "undefined");
    }
  }

  function changeCall(node: ts.CallExpression): void {
    const { expression } = node;
    if (ts.isIdentifier(expression) && CONJUNCTIONS.has(expression.text)) dropEach(node.arguments);
    if (!ts.isPropertyAccessExpression(expression)) return;
    const { name } = expression;
    const other = OTHER_METHOD.get(name.text);
    if (other) replace(name, other);
    if (CONJUNCTIONS.has(name.text)) dropEach(node.arguments);
    if (DROPPED_METHODS.has(name.text)) {
      edits.push({ start: expression.expression.getEnd(), end: node.getEnd(), replacement: "" });
    }
  }

  /** Without one element each; one that is the only one goes with its call or not at all. */
  function dropEach(elements: ts.NodeArray<ts.Expression>): void {
    if (elements.length > 1) elements.forEach(dropListed);
  }

  function dropListed(node: ts.Node): void {
    const rest = /^\s*,/.exec(text.slice(node.getEnd()))?.[0].length ?? 0;
    edits.push({ start: node.getStart(source), end: node.getEnd() + rest, replacement: "" });
  }
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

const isConstantProduct = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === ts.SyntaxKind.AsteriskToken &&
  [node.left, node.right].every((side) => ts.isNumericLiteral(side) || isConstantProduct(side));

/** Conditions become true and false, which includes their opposite. */
const isCondition = (node: ts.Node): boolean =>
  (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node);

const isExpression = (node: ts.Node | undefined) => node !== undefined && ts.isJsxExpression(node);

import type { ModuleDeclaration, Pattern, Program, Statement } from "acorn";

export interface Declaration {
  readonly names: readonly string[];
  readonly begin: number;
  readonly end: number;
}

/** What a module declares at its top level, `export` included; what it exports by default is `default` too. */
export function listDeclarations({ body }: Program): Declaration[] {
  return body.flatMap((node) => {
    const names = listNames(node);
    return names.length === 0 ? [] : [{ names, begin: node.start, end: node.end }];
  });
}

function listNames(node: Statement | ModuleDeclaration): string[] {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return [node.id.name];
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => listBound(id));
    case "ExportNamedDeclaration":
      return node.declaration ? listNames(node.declaration) : [];
    case "ExportDefaultDeclaration": {
      const { declaration } = node;
      const own = "id" in declaration && declaration.id ? [declaration.id.name] : [];
      return ["default", ...own];
    }
    default:
      return [];
  }
}

function listBound(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        listBound(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element === null ? [] : listBound(element)));
    case "RestElement":
      return listBound(pattern.argument);
    case "AssignmentPattern":
      return listBound(pattern.left);
    default:
      return [];
  }
}

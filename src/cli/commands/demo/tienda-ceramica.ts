/** A Spanish project: the online shop of a pottery workshop. Paths lie below the project; `{today-3}` stands for the date three days ago. */
export const tiendaCeramica: Readonly<Record<string, string>> = {
  "status.md": `# Tienda de cerámica

Tienda en línea de un taller de cerámica artesanal.

## Estado actual
El catálogo ya está en producción. Ahora guardamos el carrito entre sesiones (002), para que nadie pierda su compra.

## Bloqueos
- 003 Pago con tarjeta: el banco aún no ha enviado las credenciales de prueba.
`,
  "tasks/001-publicar-el-catalogo-de-productos.md": `# Task: Publicar el catálogo de productos

Status: done

## Objective
Mostrar las piezas con fotos, medidas y existencias, y avisar cuando una pieza es única.
`,
  "tasks/002-guardar-el-carrito-entre-sesiones.md": `---
owner: lucía
priority: high
due: {today+6}
---
# Task: Guardar el carrito entre sesiones

Status: in-progress

## Objective
Conservar el carrito treinta días aunque la sesión caduque o la persona cambie de dispositivo.

## Context
- Dependencies: 001-publicar-el-catalogo-de-productos

## Steps
1. [x] Guardar el carrito en la base de datos y no en la cookie
2. [ ] Fusionar el carrito anónimo con el de la cuenta al iniciar sesión
`,
  "tasks/003-integrar-el-pago-con-tarjeta.md": `# Task: Integrar el pago con tarjeta

Status: blocked

## Objective
Cobrar con tarjeta mediante la pasarela del banco.

## Context
- Dependencies: 002-guardar-el-carrito-entre-sesiones
`,
  "tasks/004-anadir-busqueda-sin-acentos.md": `# Task: Añadir búsqueda sin acentos

Status: pending

## Objective
Que quien escriba «jarron» encuentre «jarrón», también desde el móvil.

## Context
- Dependencies: 001-publicar-el-catalogo-de-productos
`,
  "plans/execution-plan.md": `# Execution Plan — tienda-ceramica

## Overview
Abrir la tienda con venta completa antes de la feria de otoño.

## Current Status
- done: 001
- in-progress: 002
- blocked: 003
- pending: 004

## Decisions
- **El carrito vive en el servidor.** Así se puede recuperar en otro dispositivo.
- **Devoluciones en catorce días.** Sin dar explicaciones, por el mismo medio de pago.
`,
  "sessions/{today-1}.md": `# Session Log - {today-1}

## Lo que hice
- El carrito ya no está en la cookie: pasó a la tabla \`carritos\`.

## Bloqueado por
- Sigue pendiente la respuesta del banco.

## Próximo
- Escribir la fusión de dos carritos con pruebas.
`,
  "references/politica-de-devoluciones.md": `# Política de devoluciones

- Catorce días naturales desde la entrega, sin dar explicaciones.
- Treinta días si la pieza llegó rota: basta con una foto del paquete.
- Las piezas por encargo no admiten devolución, salvo defecto de fabricación.
`,
};

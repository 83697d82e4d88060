/* Levels of the x86-64 instruction set, by the index of their host functions in a kernel's descriptor. */
#ifndef USWI_MACHINE_ISA_H
#define USWI_MACHINE_ISA_H

typedef enum uswi_isa { USWI_ISA_BASE, USWI_ISA_V2, USWI_ISA_V3, USWI_ISA_V4 } uswi_isa_t;

/* The highest level that the processor has. */
uswi_isa_t uswi_isa_best(void);

/* "base", "v2", "v3", "v4". */
const char *uswi_isa_name(uswi_isa_t isa);

#endif
